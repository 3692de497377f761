//! Whether a simulation makes sense, and fits in memory.

use super::{Dynamics, Model, Seen, Simulation};
use crate::error::{Error, Result};

/// The largest array a simulation may need.
const BYTES: u128 = 8 << 30;

/// The most variables: all pairs of them are still quickly counted.
const VARIABLES: usize = 100_000;

impl Simulation {
    /// Whether the parameters make sense.
    ///
    /// # Errors
    /// Names the parameter, its value and what it has to be.
    pub fn check(&self) -> Result<()> {
        self.check_counts()?;
        self.check_model()?;
        self.check_sizes()?;
        if !(self.density >= 0.0 && self.density.is_finite()) {
            return Err(Error::parameter("density", self.density, "a number, 0 or more"));
        }
        range("weights", self.weights)?;
        if !(self.decay > 0.0 && self.decay.is_finite()) {
            return Err(Error::parameter("decay", self.decay, "a positive number"));
        }
        self.dynamics.check(self.steps)?;
        self.noise.check()?;
        self.noise_scale.check()
    }

    fn check_counts(&self) -> Result<()> {
        let (d, n, t, cut) = (self.variables, self.series, self.steps, self.cut);
        for (name, count) in [("variables", d), ("series", n), ("steps", t), ("cut", cut)] {
            if count == 0 {
                return Err(Error::parameter(name, count, "at least 1"));
            }
        }
        if d > VARIABLES {
            let expected = format!("at most {VARIABLES}");
            return Err(Error::parameter("variables", d, &expected));
        }
        if !t.is_multiple_of(cut) {
            let expected = format!("a divisor of the steps ({t})");
            return Err(Error::parameter("cut", cut, &expected));
        }
        if cut > 1 && self.dynamics != Dynamics::Static {
            let expected = "1 unless the dynamics are static: pieces share one truth";
            return Err(Error::parameter("cut", cut, expected));
        }
        if self.lag >= t / cut {
            let expected = format!("below the steps of a series ({})", t / cut);
            return Err(Error::parameter("lag", self.lag, &expected));
        }
        Ok(())
    }

    fn check_model(&self) -> Result<()> {
        match &self.model {
            Model::Linear => Ok(()),
            Model::Mlp { hidden: 0, .. } => Err(Error::parameter("hidden", 0, "at least 1")),
            Model::Mlp { weights, .. } => range("weights", *weights),
            Model::Lorenz { forcing, .. } if !forcing.is_finite() => {
                Err(Error::parameter("forcing", forcing, "a finite number"))
            }
            Model::Kuramoto { coupling, .. } => {
                range("coupling", *coupling)?;
                self.check_flow(3)
            }
            Model::Lorenz { .. } => self.check_flow(4),
            Model::Hill { .. } => self.check_flow(2),
        }
    }

    /// What all flows need, and at least so many variables.
    fn check_flow(&self, fewest: usize) -> Result<()> {
        if self.dynamics != Dynamics::Static {
            let found = format!("{:?}", self.dynamics);
            let expected = "static: the equations of a flow do not move";
            return Err(Error::parameter("dynamics", found, expected));
        }
        if self.lag != 1 || self.variables < fewest {
            let found = format!("{} with {} variables", self.lag, self.variables);
            let expected = format!("1, and at least {fewest} variables, for this flow");
            return Err(Error::parameter("lag", found, &expected));
        }
        let Some(Seen { interval, substeps, process_noise, observation_noise }) = self.model.seen()
        else {
            return Ok(());
        };
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(Error::parameter("interval", interval, "a positive number"));
        }
        if !(1..=10_000).contains(&substeps) {
            return Err(Error::parameter("substeps", substeps, "1 to 10000"));
        }
        for (name, sd) in
            [("process_noise", process_noise), ("observation_noise", observation_noise)]
        {
            if !(sd >= 0.0 && sd.is_finite()) {
                return Err(Error::parameter(name, sd, "a number, 0 or more"));
            }
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<()> {
        let (d, t) = (self.variables as u128, self.steps as u128);
        let rows = t.saturating_add(self.burn_in() as u128);
        let series = 8u128.saturating_mul(d).saturating_mul(rows);
        let all = 8u128.saturating_mul(d * t).saturating_mul(self.series as u128);
        let edges = self.expected_edges();
        let hidden = if let Model::Mlp { hidden, .. } = self.model { hidden } else { 0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let truth = (edges * (32.0 * self.steps as f64 + 8.0 * hidden as f64)) as u128;
        for (what, bytes) in [
            ("the values of one series", series),
            ("the values of all series", all),
            ("the true weights of every step", truth),
        ] {
            if bytes > BYTES {
                let what = what.to_owned();
                return Err(dycausal::Error::TooLarge { what, bytes, limit: BYTES }.into());
            }
        }
        Ok(())
    }

    /// How many edges the truth has on average.
    fn expected_edges(&self) -> f64 {
        let d = self.variables as f64;
        if self.model.seen().is_some() {
            return 4.0 * d;
        }
        let density = self.density.clamp(0.0, d);
        let within = (density * d).min(d * (d - 1.0) / 2.0);
        within + self.lag as f64 * density * d
    }
}

fn range(name: &str, (low, high): (f64, f64)) -> Result<()> {
    if low > 0.0 && low <= high && high.is_finite() {
        return Ok(());
    }
    let found = format!("{low},{high}");
    Err(Error::parameter(name, found, "positive numbers, the lower first"))
}
