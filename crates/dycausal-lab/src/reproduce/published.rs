//! What the paper printed, as figures.

use crate::error::{Error, Result};

/// Tables of the paper: experiment, setting, t, edges, method, metric, mean, sd.
const TABLES: &str = include_str!("../../experiments/published.csv");

/// One figure of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The experiment, as the list calls it.
    pub experiment: String,
    /// The setting, as the list calls it.
    pub setting: String,
    /// The step, where the figure is of one.
    pub time: Option<usize>,
    /// `all`, `instantaneous` or `lagged`.
    pub edges: String,
    /// The method, as the paper calls it.
    pub method: String,
    /// The score; TPR, F1 and precision in percent.
    pub metric: String,
    /// Its mean.
    pub mean: f64,
    /// Its spread, where it was printed.
    pub sd: Option<f64>,
}

/// Every figure there is.
///
/// # Errors
/// If the list is not what it has to be: a defect of this crate.
pub fn published() -> Result<Vec<Published>> {
    let lines = TABLES.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty());
    lines.map(|(number, line)| parse(line).ok_or_else(|| wrong(number, line))).collect()
}

fn wrong(number: usize, line: &str) -> Error {
    let reason = format!("line {} of the published values is `{line}`", number + 1);
    Error::Experiment { experiment: "published".into(), reason }
}

fn parse(line: &str) -> Option<Published> {
    let fields: Vec<&str> = line.split(',').collect();
    let &[experiment, setting, time, edges, method, metric, mean, sd] = fields.as_slice() else {
        return None;
    };
    let optional =
        |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    Some(Published {
        experiment: experiment.to_owned(),
        setting: setting.to_owned(),
        time: if time.is_empty() { None } else { Some(time.parse().ok()?) },
        edges: edges.to_owned(),
        method: method.to_owned(),
        metric: metric.to_owned(),
        mean: mean.parse().ok()?,
        sd: optional(sd)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound_and_holds_the_table_of_the_dynamic_experiment() {
        let all = published().unwrap();
        let found = all.iter().find(|p| {
            p.experiment == "table-a1 dynamic"
                && p.setting == "d=20 T=50 N=200 tau=1"
                && (p.time, p.metric.as_str(), p.method.as_str()) == (Some(25), "F1", "DyCausal")
        });
        let found = found.unwrap();
        assert_eq!((found.mean, found.sd), (94.38, Some(3.90)));
    }
}
