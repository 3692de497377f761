//! Scores as a person reads them.

use std::fmt::Write;

use super::{Average, PartScores, Score, Scores};

impl Scores {
    /// A table: averages, window and summary of each part, and some steps of all edges.
    ///
    /// `steps` count from 0; those beyond the end are left out. What is not defined is a dash.
    pub fn table(&self, steps: &[usize]) -> String {
        let mut text = format!(
            "{:<26}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n",
            "", "F1", "TPR", "FPR", "prec.", "SHD", "AUROC", "AUPRC", "RMSE"
        );
        let chosen = steps.iter().filter(|step| **step < self.all.steps.len());
        for step in chosen {
            line(&mut text, &format!("step {}", step + 1), &self.all.steps[*step].into());
        }
        self.all.lines(&mut text, "all");
        self.instantaneous.lines(&mut text, "instantaneous");
        self.lagged.lines(&mut text, "lagged");
        text
    }
}

impl PartScores {
    fn lines(&self, text: &mut String, name: &str) {
        line(text, &format!("{name}, mean of steps"), &self.average);
        line(text, &format!("{name}, window"), &self.window.into());
        line(text, &format!("{name}, summary"), &self.summary.into());
    }
}

impl From<Score> for Average {
    fn from(score: Score) -> Self {
        Self {
            tpr: score.tpr,
            fpr: score.fpr,
            precision: score.precision,
            recall: score.recall,
            f1: score.f1,
            shd: Some(score.shd as f64),
            auroc: score.auroc,
            auprc: score.auprc,
            weight_rmse: score.weight_rmse,
            edge_weight_rmse: score.edge_weight_rmse,
        }
    }
}

fn line(text: &mut String, name: &str, scores: &Average) {
    let cell = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
    };
    let cells = [
        cell(scores.f1, 3),
        cell(scores.tpr, 3),
        cell(scores.fpr, 3),
        cell(scores.precision, 3),
        cell(scores.shd, 1),
        cell(scores.auroc, 3),
        cell(scores.auprc, 3),
        cell(scores.weight_rmse, 3),
    ];
    let row: String = cells.iter().map(|cell| format!("{cell:>8}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<26}{row}");
}
