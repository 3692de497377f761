//! Courses of a weight whose every turn is known.

use std::f64::consts::{PI, TAU};

use dycausal::movement::Kind;

/// The largest weight of a course.
const AMPLITUDE: f64 = 0.6;

/// How a weight moves over u = (t + ½)/T, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Course {
    /// a.
    Static,
    /// 0, from 0.6 on a.
    On,
    /// a, from 0.6 on 0.
    Off,
    /// a, from 0.5 on −a.
    Flip,
    /// a sin πu.
    HalfSine,
    /// a cos πu.
    HalfCosine,
    /// a sin 2πu.
    Sine,
    /// a sin 8πu.
    FourPeriods,
    /// From 0 to a and back, in straight lines.
    Triangle,
    /// a from 0.4 to 0.6, 0 elsewhere.
    Pulse,
}

impl Course {
    /// All of them.
    pub(in super::super) const ALL: [Self; 10] = [
        Self::Static,
        Self::On,
        Self::Off,
        Self::Flip,
        Self::HalfSine,
        Self::HalfCosine,
        Self::Sine,
        Self::FourPeriods,
        Self::Triangle,
        Self::Pulse,
    ];

    /// Its name in tables.
    pub(in super::super) const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::On => "on at 60 %",
            Self::Off => "off at 60 %",
            Self::Flip => "flip",
            Self::HalfSine => "half sine",
            Self::HalfCosine => "half cosine",
            Self::Sine => "sine",
            Self::FourPeriods => "four periods",
            Self::Triangle => "triangle",
            Self::Pulse => "pulse",
        }
    }

    /// The weight at every step.
    pub(in super::super) fn path(self, steps: usize) -> Vec<f64> {
        (0..steps).map(|step| self.at((step as f64 + 0.5) / steps as f64)).collect()
    }

    /// What its motion is rightly called.
    pub(in super::super) const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Static => &[Kind::Static],
            Self::On => &[Kind::Appears],
            Self::Off => &[Kind::Vanishes],
            Self::Flip => &[Kind::Flips, Kind::Jumps],
            Self::Pulse => &[Kind::Pulses],
            Self::HalfSine | Self::HalfCosine | Self::Sine | Self::FourPeriods | Self::Triangle => {
                &[Kind::Drifts]
            }
        }
    }

    /// Whether it changes from one step to the next, and not in between.
    pub(in super::super) const fn jumps(self) -> bool {
        matches!(self, Self::On | Self::Off | Self::Flip | Self::Pulse)
    }

    /// Whether there is nothing for a while.
    pub(in super::super) const fn rests(self) -> bool {
        matches!(self, Self::On | Self::Off | Self::Pulse)
    }

    fn at(self, u: f64) -> f64 {
        let while_so = |so: bool| f64::from(so);
        AMPLITUDE
            * match self {
                Self::Static => 1.0,
                Self::On => while_so(u >= 0.6),
                Self::Off => while_so(u < 0.6),
                Self::Flip => 1.0 - 2.0 * while_so(u >= 0.5),
                Self::HalfSine => (PI * u).sin(),
                Self::HalfCosine => (PI * u).cos(),
                Self::Sine => (TAU * u).sin(),
                Self::FourPeriods => (4.0 * TAU * u).sin(),
                Self::Triangle => 1.0 - (2.0 * u - 1.0).abs(),
                Self::Pulse => while_so((0.4..0.6).contains(&u)),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_turn_where_they_say() {
        for steps in [50, 500, 2000] {
            let on = Course::On.path(steps);
            assert_eq!(on.iter().position(|w| *w > 0.0), Some(steps * 3 / 5));
            assert_eq!(on.last(), Some(&AMPLITUDE));
            let off = Course::Off.path(steps);
            assert!(on.iter().zip(&off).all(|(a, b)| a + b == AMPLITUDE));
            let flip = Course::Flip.path(steps);
            assert_eq!(flip.iter().position(|w| *w < 0.0), Some(steps / 2));
            let there = Course::Pulse.path(steps).iter().filter(|w| **w > 0.0).count();
            assert_eq!(there, steps / 5);
        }
    }

    #[test]
    fn only_those_that_jump_stand_still_in_between() {
        for course in Course::ALL {
            let path = course.path(500);
            let turns = path.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let still = course == Course::Static || course.jumps();
            assert_eq!(turns <= 2, still, "{}: {turns}", course.name());
            assert_eq!(course.rests(), path.contains(&0.0), "{}", course.name());
            assert!(path.iter().all(|w| w.abs() <= AMPLITUDE), "{}", course.name());
        }
    }
}
