//! True graphs, to score against.

use std::io::BufReader;
use std::path::Path;

use ndarray::{Array4, ArrayD, Axis, IxDyn, ShapeBuilder};

use crate::error::{Error, Result};
use crate::npy::{Element, Header, read_values};
use crate::source::Source;

/// Reads true weights\[time, lag, from, to\] from an NPY file of floats, integers or booleans.
///
/// An array\[lag, from, to\] is a graph that never changes, and \[from, to\] one that never changes
/// and has no lags; both come back with a time axis of length 1.
///
/// # Errors
/// If the file is not a sound NPY file, has other dimensions, is not square in its last two, or
/// holds a number that is not finite.
pub fn read_truth(path: &Path) -> Result<Array4<f64>> {
    let source = Source::from(path);
    let file = source.to_string();
    let (from, size) = source.file(None)?;
    let mut from = BufReader::with_capacity(1 << 18, from);
    let header = Header::read(&file, &mut from)?;
    let refused = |found: String, expected: &str| Error::array(&file, found, expected);
    let element = match header.element() {
        None | Some(Element::Text(_)) => {
            return Err(refused(header.element_in_words(), "floats, integers or booleans"));
        }
        Some(element) => element,
    };
    check_shape(&header.shape)
        .ok_or_else(|| {
            let expected = "[time, lag + 1, from, to], [lag + 1, from, to] or [from, to], `from` and `to` of one length";
            refused(format!("shape {:?}", header.shape), expected)
        })?;
    let count = header.check_size(&file, element, size.saturating_sub(header.bytes))?;
    let values = read_values(&file, &mut from, &header, element, count)?;
    if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
        return Err(refused(format!("numbers with {bad} among them"), "finite numbers"));
    }
    let shape = IxDyn(&header.shape).set_f(header.fortran);
    let array = ArrayD::from_shape_vec(shape, values);
    let mut array = array.map_err(|e| refused(e.to_string(), "as many values as its shape has"))?;
    while array.ndim() < 4 {
        array.insert_axis_inplace(Axis(0));
    }
    array.into_dimensionality().map_err(|e| refused(e.to_string(), "4 dimensions"))
}

fn check_shape(shape: &[usize]) -> Option<()> {
    let [.., from, to] = shape else { return None };
    (shape.len() <= 4 && from == to && !shape.contains(&0)).then_some(())
}
