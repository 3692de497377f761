//! Are two variables independent given others? Tests by partial correlation, for methods that ask
//! this of many triples.

mod covariance;
mod gaps;
mod memory;
mod normal_scores;
mod samples;

use dycausal::{Error, Panel, Result};
use serde::{Deserialize, Serialize};
use statrs::function::beta::checked_beta_reg;

pub(crate) use covariance::Covariance;
use gaps::Gapped;
pub(crate) use memory::memory;
use samples::Samples;

/// A variable at a lag: lag · variables + variable.
pub(crate) type Node = usize;

/// A test of independence by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Partial correlation of the values.
    #[default]
    Parcorr,
    /// Partial correlation of normal scores: each variable is first given the marginal of a
    /// Gaussian by its ranks, which no outlier and no monotone transformation changes.
    RobustParcorr,
}

/// What a test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The partial correlation.
    pub value: f64,
    /// p-value of "it is 0"; NaN where there are too few rows.
    pub p: f64,
}

/// Tests on one data set.
pub(crate) enum Independence {
    /// No cell is missing: every test reads one correlation matrix.
    Whole { correlation: Covariance, rows: usize },
    /// Each test has the rows in which all that it names is there.
    Gapped(Gapped),
}

impl Independence {
    /// Tests among the variables at lags 0 to twice `lag`: all on the rows that have those.
    ///
    /// # Errors
    /// If the series are too short for that.
    pub fn new(panel: &Panel, lag: usize, test: Test) -> Result<Self> {
        let longest = 2 * lag;
        if panel.steps() <= longest {
            let (steps, needed) = (panel.steps(), longest + 2);
            return Err(Error::TooShort { steps, lag, needed });
        }
        let samples = Samples::of(panel, longest);
        if samples.has_gaps() {
            return Ok(Self::Gapped(Gapped::new(samples, test)));
        }
        let rows = samples.rows();
        let columns = match test {
            Test::Parcorr => samples.into_columns(),
            Test::RobustParcorr => normal_scores::of_columns(samples.into_columns(), rows),
        };
        Ok(Self::Whole { correlation: Covariance::correlations(columns, rows), rows })
    }

    /// Whether x and y are independent given the others.
    pub fn test(&self, x: Node, y: Node, given: &[Node]) -> Tested {
        match self {
            Self::Whole { correlation, rows } => correlation.test(x, y, given, *rows, 0),
            Self::Gapped(gapped) => gapped.test(x, y, given),
        }
    }

    /// The same tests where some conditions are always there: quick for many further ones.
    pub fn given(&self, nodes: &[Node], always: &[Node]) -> Conditioned<'_> {
        let nodes = nodes.to_vec();
        match self {
            Self::Whole { correlation, rows } => Conditioned::Residual {
                residual: correlation.given(&nodes, always),
                nodes,
                rows: *rows,
                taken: correlation.moving(always),
            },
            Self::Gapped(gapped) => Conditioned::Gapped { gapped, nodes, always: always.to_vec() },
        }
    }
}

/// Tests among some nodes, given conditions that are the same in all of them.
pub(crate) enum Conditioned<'a> {
    Residual { residual: Covariance, nodes: Vec<Node>, rows: usize, taken: usize },
    Gapped { gapped: &'a Gapped, nodes: Vec<Node>, always: Vec<Node> },
}

impl Conditioned<'_> {
    /// Whether two of the nodes, by their place in the list, are independent given others of it.
    pub fn test(&self, x: usize, y: usize, given: &[usize]) -> Tested {
        match self {
            Self::Residual { residual, rows, taken, .. } => {
                residual.test(x, y, given, *rows, *taken)
            }
            Self::Gapped { gapped, nodes, always } => {
                let mut all: Vec<Node> = given.iter().map(|place| nodes[*place]).collect();
                all.extend(always);
                gapped.test(nodes[x], nodes[y], &all)
            }
        }
    }

    /// The nodes, in the order of their places.
    pub fn nodes(&self) -> &[Node] {
        match self {
            Self::Residual { nodes, .. } | Self::Gapped { nodes, .. } => nodes,
        }
    }
}

/// p-value of a partial correlation ρ over so many rows and variables, conditions included.
///
/// ρ √(ν / (1 − ρ²)) is Student's t with ν = rows − variables degrees of freedom where the truth is
/// 0, so that p = I_{1−ρ²}(ν/2, 1/2), the regularised incomplete beta function.
fn p_value(correlation: f64, rows: usize, variables: usize) -> f64 {
    if rows <= variables {
        return f64::NAN;
    }
    let freedom = (rows - variables) as f64;
    let left = 1.0 - correlation * correlation;
    if left <= 0.0 {
        return 0.0;
    }
    checked_beta_reg(freedom / 2.0, 0.5, left).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of scipy's `2 * stats.t.sf(abs(r) * sqrt(nu / (1 - r * r)), nu)`.
    #[test]
    fn p_values_are_those_of_student() {
        let known = [
            (0.1, 100, 2, 0.322_217_363_030_619_65),
            (-0.3, 50, 7, 0.045_261_969_934_911_3),
            (0.9, 12, 5, 0.000_943_062_322_340_329_3),
        ];
        for (r, rows, variables, p) in known {
            let found = p_value(r, rows, variables);
            assert!((found - p).abs() < 1e-12, "{r} {found} {p}");
        }
        assert!(p_value(0.5, 3, 3).is_nan());
        assert_eq!(p_value(1.0, 30, 3), 0.0);
    }
}
