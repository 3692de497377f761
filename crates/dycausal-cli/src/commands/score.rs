//! `dycausal score RUN --truth TRUTH [--ranking]`.

use std::path::{Path, PathBuf};

use dycausal::DynamicGraph;
use dycausal_io::{read_graph, read_run, read_truth};
use dycausal_lab::metrics::{Areas, Options, RankingScores, Scores, score, score_ranking};

use crate::arguments::ScoreArguments;
use crate::failure::Failure;
use crate::screen;
use crate::table::{Side, Table};

/// Compares a run with a truth.
pub fn run(arguments: &ScoreArguments) -> Result<(), Failure> {
    let (_, estimate) = read_run(&arguments.run)?;
    let truth = truth_for(&estimate, &arguments.truth)?;
    let options = Options { threshold: arguments.threshold, diagonal: !arguments.no_diagonal };
    if arguments.ranking {
        return ranked(arguments, &truth, &estimate, options);
    }
    let scores = score(&truth, &estimate, options)?;
    if arguments.json {
        return screen::show_json(&scores);
    }
    screen::show(&render(&scores, &estimate))
}

/// Scores the statistic of every possible edge.
fn ranked(
    arguments: &ScoreArguments,
    truth: &DynamicGraph,
    estimate: &DynamicGraph,
    options: Options,
) -> Result<(), Failure> {
    let none = "has no ranking.parquet: its method gives no statistic for edges that are not listed, or there were too many; leave --ranking out";
    let ranking = estimate
        .ranking()
        .ok_or_else(|| Failure::input(none).about(arguments.run.display()))?
        .with_sources(arguments.sources.unwrap_or_default());
    let scores = score_ranking(truth, estimate.names(), &ranking, options)?;
    if arguments.json {
        return screen::show_json(&scores);
    }
    screen::show(&rendered(&scores))
}

/// Areas under curves: of each lag, of all, and of pairs.
fn rendered(scores: &RankingScores) -> String {
    let mut table = Table::new(&[
        ("places", Side::Left),
        ("AUROC", Side::Right),
        ("AUPR", Side::Right),
        ("best F1", Side::Right),
    ]);
    let mut row = |places: String, areas: Areas| {
        let share = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.3}"));
        table.row([places, share(areas.auroc), share(areas.auprc), share(areas.best_f1)]);
    };
    scores.lags.iter().for_each(|l| row(format!("lag {}", l.lag), l.areas));
    row("all lags (any time)".into(), scores.window);
    row("pairs (any lag)".into(), scores.summary);
    let (rule, by) = (scores.options.threshold, &scores.statistic);
    let rule = format!("every possible edge ranked by: {by}; a true weight is above {rule}\n\n");
    rule + &table.render()
}

/// The truth of a file or folder, with the names and times of a graph.
pub fn truth_for(graph: &DynamicGraph, path: &Path) -> Result<DynamicGraph, Failure> {
    if path.is_dir() && path.join("graph.json").exists() {
        return Ok(read_run(path)?.1);
    }
    let path = &if path.is_dir() { simulated(path)? } else { path.to_owned() };
    let about = |error: dycausal::Error| Failure::from(error).about(path.display());
    let (names, times) = (graph.names().to_vec(), graph.times().clone());
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let truth = read_graph(path)?;
        if (truth.variables(), truth.steps()) != (graph.variables(), graph.steps()) {
            let found = format!("{} variables, {} steps", truth.variables(), truth.steps());
            let expected = format!("{} and {}, as in the run", graph.variables(), graph.steps());
            return Err(about(dycausal::Error::shape("the truth", found, expected)));
        }
        let (lag, basis, edges) = (truth.lag(), truth.basis().clone(), truth.edges().to_vec());
        return DynamicGraph::new(names, times, lag, basis, edges).map_err(about);
    }
    let weights = read_truth(path)?;
    if weights.dim().0 == 1 && graph.steps() > 1 {
        let (_, lags, from, to) = weights.dim();
        let still = weights.broadcast((graph.steps(), lags, from, to));
        if let Some(still) = still {
            return DynamicGraph::from_dense(names, times, still).map_err(about);
        }
    }
    DynamicGraph::from_dense(names, times, weights.view()).map_err(about)
}

/// The truth in the folder of a simulation, also of one that was written before there were graphs.
fn simulated(folder: &Path) -> Result<PathBuf, Failure> {
    let known = ["truth.json", "truth.npy"].map(|name| folder.join(name));
    known.into_iter().find(|path| path.exists()).ok_or_else(|| {
        let expected = "is no run and no simulation: expected graph.json, truth.json or truth.npy";
        Failure::input(expected).about(folder.display())
    })
}

/// Scores as tables: at the first, middle and last step, on average, and of the whole.
pub fn render(scores: &Scores, graph: &DynamicGraph) -> String {
    let mut table = Table::new(&[
        ("edges", Side::Left),
        ("graph", Side::Left),
        ("F1", Side::Right),
        ("TPR", Side::Right),
        ("FPR", Side::Right),
        ("precision", Side::Right),
        ("SHD", Side::Right),
        ("AUROC", Side::Right),
        ("AUPRC", Side::Right),
        ("RMSE", Side::Right),
    ]);
    let parts = [
        ("all", &scores.all),
        ("instantaneous", &scores.instantaneous),
        ("lagged", &scores.lagged),
    ];
    let last = graph.steps() - 1;
    let mut steps = vec![0, last / 2, last];
    steps.dedup();
    for (name, part) in parts {
        let mut row = |graph: String, cells: [Option<f64>; 8]| {
            let [f1, tpr, fpr, precision, shd, auroc, auprc, rmse] = cells;
            let share = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.3}"));
            let count = shd.map_or("-".into(), |x| format!("{x:.1}"));
            table.row([
                name.into(),
                graph,
                share(f1),
                share(tpr),
                share(fpr),
                share(precision),
                count,
                share(auroc),
                share(auprc),
                share(rmse),
            ]);
        };
        let a = &part.average;
        row(
            "mean over steps".into(),
            [a.f1, a.tpr, a.fpr, a.precision, a.shd, a.auroc, a.auprc, a.weight_rmse],
        );
        let at = |s: &dycausal_lab::metrics::Score| {
            [s.f1, s.tpr, s.fpr, s.precision, Some(s.shd as f64), s.auroc, s.auprc, s.weight_rmse]
        };
        for step in &steps {
            row(format!("at {}", graph.times().label(*step)), at(&part.steps[*step]));
        }
        row("window (any time)".into(), at(&part.window));
        row("summary (any lag)".into(), at(&part.summary));
    }
    let rule =
        format!("an edge is a weight above {} in absolute value\n\n", scores.options.threshold);
    rule + &table.render()
}
