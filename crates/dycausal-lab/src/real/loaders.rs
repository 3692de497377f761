//! Data sets as they were published.

use std::fs;
use std::path::{Path, PathBuf};

use dycausal::Panel;
use dycausal_io::{ReadOptions, Source, read_panel, read_truth};
use ndarray::{Array2, Array3, ArrayView1, Axis, s};

use super::case::Case;
use super::spec::{Form, real_spec};
use crate::error::{Error, Result};

/// Every case in a folder of data sets, group by group; groups that are not there are left out.
///
/// # Errors
/// If the folder is not there or holds none of the groups, or a file is broken.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    if !folder.is_dir() {
        return Err(Error::unusable(folder, "there is no such folder; name it with --data"));
    }
    let mut all = Vec::new();
    let groups = real_spec()?.groups;
    for (name, group) in &groups {
        let here = folder.join(name);
        if here.is_dir() {
            all.extend(match group.form {
                Form::Rivers => vec![rivers(&here)?],
                Form::CausalTime => causal_time(&here)?,
                Form::Pairs => pairs(name, &here)?,
            });
        }
    }
    if all.is_empty() {
        let names: Vec<&str> = groups.keys().map(String::as_str).collect();
        let reason = format!("none of the folders {} is in it", names.join(", "));
        return Err(Error::unusable(folder, reason));
    }
    Ok(all)
}

/// Every `NAME_series*.npy` that has its truth beside it.
fn pairs(group: &str, folder: &Path) -> Result<Vec<Case>> {
    let mut names: Vec<(String, String)> = Vec::new();
    let entries = fs::read_dir(folder).map_err(|reason| Error::unusable(folder, reason))?;
    for entry in entries {
        let entry = entry.map_err(|reason| Error::unusable(folder, reason))?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if let Some((name, rest)) = file.strip_suffix(".npy").and_then(|f| f.split_once("_series"))
        {
            names.push((name.to_owned(), rest.to_owned()));
        }
    }
    // sim2 before sim10.
    names.sort_by_key(|(name, rest)| (name.len(), name.clone(), rest.clone()));
    names.into_iter().map(|(name, rest)| pair(group, folder, &name, &rest)).collect()
}

fn pair(group: &str, folder: &Path, name: &str, rest: &str) -> Result<Case> {
    let panel = panel(&folder.join(format!("{name}_series{rest}.npy")))?;
    let candidates =
        ["truth", "net", "lag"].map(|kind| folder.join(format!("{name}_{kind}{rest}.npy")));
    let found = candidates.iter().find(|path| path.is_file());
    let path = found.ok_or_else(|| {
        let names: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
        Error::unusable(folder, format!("no truth for {name}: none of {}", names.join(", ")))
    })?;
    let truths = truths(path, panel.variables())?;
    let truth = union(&truths);
    let truths =
        if truths.len() == panel.series() && truths.len() > 1 { truths } else { Vec::new() };
    Ok(Case {
        group: group.to_owned(),
        name: name.to_owned(),
        panel,
        truth,
        truths,
        subsets: Vec::new(),
    })
}

fn panel(path: &Path) -> Result<Panel> {
    Ok(read_panel(&Source::Path(path.to_owned()), &ReadOptions::default())?)
}

/// Truths\[from, to\] of a file, one per matrix in it; a self decay on the diagonal is an edge too.
fn truths(path: &Path, variables: usize) -> Result<Vec<Array2<bool>>> {
    let weights = read_truth(path)?;
    let (_, _, from, _) = weights.dim();
    if from != variables {
        let reason = format!("{from} variables, where the series have {variables}");
        return Err(Error::unusable(path, reason));
    }
    let matrices = weights.index_axis(Axis(0), 0);
    Ok(matrices.outer_iter().map(|matrix| matrix.mapv(|w| w != 0.0)).collect())
}

fn union(truths: &[Array2<bool>]) -> Array2<bool> {
    let mut all = truths[0].clone();
    for truth in &truths[1..] {
        all.zip_mut_with(truth, |a, b| *a |= b);
    }
    all
}

/// River gauges in a flood: gaps are filled by straight lines, and each connected set of five
/// gauges is looked at on its own, as in the original evaluation.
fn rivers(folder: &Path) -> Result<Case> {
    let panel = panel(&folder.join("series.npy"))?;
    let mut values = panel.values().to_owned();
    for mut series in values.axis_iter_mut(Axis(0)) {
        for mut column in series.axis_iter_mut(Axis(1)) {
            let filled = interpolated(column.view());
            column.iter_mut().zip(filled).for_each(|(x, y)| *x = y);
        }
    }
    let path = folder.join("connected_5_node_sets.csv");
    let subsets = index_sets(&path, panel.variables())?;
    let truths = truths(&folder.join("truth.npy"), panel.variables())?;
    Ok(Case {
        group: "causalrivers_flood".into(),
        name: "sets of 5".into(),
        panel: Panel::new(values, panel.names().to_vec())?,
        truth: union(&truths),
        truths: Vec::new(),
        subsets,
    })
}

/// Missing values on the straight line between their neighbours; at the ends the nearest value.
fn interpolated(column: ArrayView1<'_, f64>) -> Vec<f64> {
    let known: Vec<usize> = (0..column.len()).filter(|t| !column[*t].is_nan()).collect();
    let at = |t: usize| {
        let after = known.partition_point(|k| *k < t);
        match (after.checked_sub(1).map(|b| known[b]), known.get(after)) {
            (_, Some(&k)) if k == t => column[t],
            (Some(a), Some(&b)) => {
                let share = (t - a) as f64 / (b - a) as f64;
                column[a] + share * (column[b] - column[a])
            }
            (Some(a), None) => column[a],
            (None, Some(&b)) => column[b],
            (None, None) => f64::NAN,
        }
    };
    (0..column.len()).map(at).collect()
}

/// Lines of variable numbers under a heading.
fn index_sets(path: &Path, variables: usize) -> Result<Vec<Vec<usize>>> {
    let text = fs::read_to_string(path).map_err(|reason| Error::unusable(path, reason))?;
    let parse = |(number, line): (usize, &str)| {
        let numbers: Option<Vec<usize>> = line
            .split(',')
            .map(|word| word.trim().parse().ok().filter(|v| *v < variables))
            .collect();
        numbers.ok_or_else(|| {
            let reason =
                format!("line {}: `{line}` is no list of numbers below {variables}", number + 1);
            Error::unusable(path, reason)
        })
    };
    text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()).map(parse).collect()
}

/// CausalTime as published: folders (`pm25`, `traffic`, `medical`) with `gen_data.npy`
/// \[sample, time, 2d\], of which the first d columns are the variables and the others their
/// residuals, and `graph.npy` \[d, d\], row = cause.
///
/// # Errors
/// If a folder lacks one of the files, or they do not fit together.
pub fn causal_time(folder: &Path) -> Result<Vec<Case>> {
    let entries = fs::read_dir(folder).map_err(|reason| Error::unusable(folder, reason))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.iter().map(|folder| causal_time_set(folder)).collect()
}

fn causal_time_set(folder: &Path) -> Result<Case> {
    let graph = folder.join("graph.npy");
    let weights = read_truth(&graph)?;
    let d = weights.dim().2;
    let all = panel(&folder.join("gen_data.npy"))?;
    if all.variables() != d && all.variables() != 2 * d {
        let reason =
            format!("{} variables; gen_data.npy has {}, not {d} or {}", d, all.variables(), 2 * d);
        return Err(Error::unusable(&graph, reason));
    }
    let values: Array3<f64> = all.values().slice(s![.., .., ..d]).to_owned();
    let truths = truths(&graph, d)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Case {
        group: "causaltime".into(),
        name,
        panel: Panel::unnamed(values)?,
        truth: union(&truths),
        truths: Vec::new(),
        subsets: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use dycausal_io::write_npy;
    use ndarray::array;

    use super::*;

    #[test]
    fn gaps_are_filled_by_straight_lines() {
        let nan = f64::NAN;
        let filled = interpolated(array![nan, 1.0, nan, nan, 4.0, nan].view());
        assert_eq!(filled, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0]);
    }

    #[test]
    fn causal_time_keeps_the_variables_and_leaves_the_residuals() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("causaltime/traffic");
        fs::create_dir_all(&folder).unwrap();
        let data = Array3::from_shape_fn((4, 6, 4), |(n, t, v)| (100 * n + 10 * t + v) as f64);
        write_npy(&folder.join("gen_data.npy"), data.view()).unwrap();
        write_npy(&folder.join("graph.npy"), array![[1.0, 1.0], [0.0, 1.0]].view()).unwrap();
        let all = cases(root.path()).unwrap();
        assert_eq!((all.len(), all[0].name.as_str()), (1, "traffic"));
        assert_eq!(all[0].panel.values().dim(), (4, 6, 2));
        assert_eq!(all[0].panel.values()[[2, 3, 1]], 231.0);
        assert_eq!(all[0].truth, array![[true, true], [false, true]]);
        write_npy(&folder.join("graph.npy"), Array2::<f64>::eye(3).view()).unwrap();
        let error = cases(root.path()).unwrap_err().to_string();
        assert!(error.contains("graph.npy") && error.contains("not 3 or 6"), "{error}");
    }

    #[test]
    fn a_folder_without_data_is_refused_by_name() {
        let root = tempfile::tempdir().unwrap();
        let error = cases(root.path()).unwrap_err().to_string();
        assert!(error.contains("netsim"), "{error}");
        assert!(cases(&root.path().join("nothing")).unwrap_err().to_string().contains("--data"));
    }

    #[test]
    fn published_files_have_the_shapes_they_should() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        if !data.is_dir() {
            #[allow(clippy::print_stderr)]
            {
                eprintln!("skipped: no data sets beside the repository");
            }
            return;
        }
        let all = cases(&data).unwrap();
        let find = |name: &str| all.iter().find(|case| case.name == name).unwrap();
        let count = |case: &Case| {
            case.truth.indexed_iter().filter(|((i, j), there)| i != j && **there).count()
        };
        assert_eq!(find("sim3").panel.values().dim(), (50, 200, 15));
        assert_eq!((count(find("sim3")), find("sim3").truths.len()), (18, 50));
        assert_eq!(count(find("size100_Ecoli1")), 125);
        assert_eq!((count(find("sets of 5")), find("sets of 5").subsets.len()), (42, 2139));
        assert_eq!(find("sets of 5").panel.missing(), 0);
        assert_eq!(count(find("antivirus_1")), 16);
        assert_eq!(count(find("20_1_3")), 20);
    }
}
