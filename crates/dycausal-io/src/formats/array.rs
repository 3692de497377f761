//! Arrays on their way to a panel: what NPY, NPZ and MAT share.

use dycausal::Panel;
use ndarray::{Array, Array3, Axis, Dimension, Ix2, Ix3, ShapeBuilder};

use crate::error::{Error, Result};
use crate::options::ReadOptions;
use crate::table::keep;

/// Refuses options that are about tables.
pub(super) fn refuse_table_options(
    file: &str,
    format: &'static str,
    options: &ReadOptions,
) -> Result<()> {
    let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    for (option, given) in [
        ("time", given(&options.time)),
        ("id", given(&options.id)),
        ("variable", given(&options.variable)),
        ("value", given(&options.value)),
        ("sheet", given(&options.sheet)),
        ("zone", given(&options.zone)),
        ("every", options.every.is_some()),
        ("dates", options.dates.is_some()),
        ("decimal", options.decimal.is_some()),
    ] {
        if given {
            return Err(Error::NotApplicable { file: file.into(), option, format });
        }
    }
    Ok(())
}

/// Refuses shapes that are neither \[T, d\] nor \[N, T, d\].
pub(super) fn check_shape(file: &str, shape: &[usize]) -> Result<()> {
    const EXPECTED: &str = "2 (time, variable) or 3 (series, time, variable)";
    let found = format!("{} dimension(s), shape {shape:?}", shape.len());
    let expected = match shape.len() {
        2 | 3 if !shape.contains(&0) => return Ok(()),
        2 | 3 => "at least one of each".into(),
        1 => format!(
            "{EXPECTED}: one variable has no causes to find among others; put several side by side with numpy.column_stack"
        ),
        _ => format!("{EXPECTED}; reshape it first"),
    };
    Err(Error::array(file, found, expected))
}

/// Values\[series, time, variable\] of a shape that was checked.
pub(super) fn stack(
    file: &str,
    shape: &[usize],
    fortran: bool,
    values: Vec<f64>,
) -> Result<Array3<f64>> {
    fn ordered<D: Dimension>(
        shape: impl ShapeBuilder<Dim = D>,
        fortran: bool,
        values: Vec<f64>,
    ) -> Option<Array<f64, D>> {
        Array::from_shape_vec(shape.set_f(fortran), values).ok()
    }
    let array = match *shape {
        [steps, d] => ordered::<Ix2>((steps, d), fortran, values).map(|a| a.insert_axis(Axis(0))),
        [series, steps, d] => ordered::<Ix3>((series, steps, d), fortran, values),
        _ => None,
    };
    array.ok_or_else(|| Error::array(file, format!("shape {shape:?}"), "as many values"))
}

/// The panel of the variables asked for, with names where the file has them.
pub(super) fn into_panel(
    file: &str,
    values: Array3<f64>,
    names: Option<Vec<String>>,
    options: &ReadOptions,
) -> Result<Panel> {
    let panel = match names {
        Some(names) => Panel::new(values, names),
        None => Panel::unnamed(values),
    };
    let panel = panel.map_err(|reason| Error::data(file, reason))?;
    keep(file, panel, options)
}

/// The number of the array that is meant: the one of this name, or the only one there is.
pub(super) fn choose(
    file: &str,
    names: &[String],
    shown: &[String],
    asked: Option<&str>,
) -> Result<usize> {
    let problem = match (asked, names.len()) {
        (Some(asked), _) => match names.iter().position(|name| name == asked) {
            Some(found) => return Ok(found),
            None => format!("there is no array `{asked}` that could be a panel"),
        },
        (None, 1) => return Ok(0),
        (None, 0) => "it holds no array of numbers".into(),
        (None, several) => format!("it holds {several} arrays"),
    };
    Err(Error::WhichArray { file: file.into(), problem, arrays: shown.to_vec() })
}
