//! Why a command ended early, and the exit code that says so.

use std::any::Any;
use std::fmt;

use dycausal_io::Remedy;

use crate::advice;

/// Exit code of a method that failed on good input.
const FAILED: u8 = 1;
/// Exit code of bad input.
const BAD_INPUT: u8 = 2;
/// Exit code after Ctrl-C, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// What to tell the user, and how to exit.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// Something that was given is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: BAD_INPUT }
    }

    /// The machine did not play along.
    pub fn system(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: FAILED }
    }

    /// The program itself is wrong.
    pub fn defect(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Self::system(format!("this is a defect of dycausal, please report it: {text}"))
    }

    /// The code to exit with.
    pub fn exit_code(&self) -> u8 {
        self.code
    }

    /// Whether somebody asked to stop.
    pub fn is_interruption(&self) -> bool {
        self.code == INTERRUPTED
    }

    /// The same failure with a remark behind it.
    pub fn followed_by(mut self, remark: impl fmt::Display) -> Self {
        self.message = format!("{}; {remark}", self.message);
        self
    }

    /// The same failure with the name of what it is about in front.
    pub fn about(mut self, subject: impl fmt::Display) -> Self {
        self.message = format!("{subject}: {}", self.message);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<dycausal::Error> for Failure {
    fn from(error: dycausal::Error) -> Self {
        let code = match &error {
            dycausal::Error::Cancelled => INTERRUPTED,
            error if error.is_input() => BAD_INPUT,
            _ => FAILED,
        };
        let remedies = error.remedy().map(Remedy::of_library).unwrap_or_default();
        let failure = Self { message: format!("{error}{}", advice::settings(&remedies)), code };
        match advice::after_learning(&error) {
            Some(advice) => failure.followed_by(advice),
            None => failure,
        }
    }
}

impl From<dycausal_io::Error> for Failure {
    fn from(error: dycausal_io::Error) -> Self {
        let code = if error.is_input() { BAD_INPUT } else { FAILED };
        let message = format!("{error}{}", advice::settings(&error.remedies()));
        let failure = Self { message, code };
        match advice::after_reading(&error) {
            Some(advice) => failure.followed_by(advice),
            None => failure,
        }
    }
}

impl From<dycausal_lab::Error> for Failure {
    fn from(error: dycausal_lab::Error) -> Self {
        match error {
            dycausal_lab::Error::Library(error) => error.into(),
            dycausal_lab::Error::File(error) => (*error).into(),
            error => Self::input(error.to_string()),
        }
    }
}
