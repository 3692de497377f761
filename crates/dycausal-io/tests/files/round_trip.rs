//! What is written reads back with the same bits.

use std::fmt::Write;
use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use dycausal_io::write_npy;
use ndarray::{Array2, Array3};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::{csv, options, read_path};

/// Finite doubles of every size, and missing cells.
fn cell() -> impl Strategy<Value = f64> {
    let finite = any::<f64>().prop_filter("finite", |x| x.is_finite());
    prop_oneof![8 => finite, 1 => Just(f64::NAN), 1 => Just(-0.0)]
}

fn table() -> impl Strategy<Value = Array2<f64>> {
    (2..12usize, 1..5usize).prop_flat_map(|(rows, columns)| {
        prop::collection::vec(cell(), rows * columns)
            .prop_map(move |cells| Array2::from_shape_vec((rows, columns), cells).unwrap())
    })
}

fn names(columns: usize) -> impl Strategy<Value = Vec<String>> {
    // Any text but a time's name; the number keeps them apart.
    prop::collection::vec("[\\PC\n\"]{0,6}", columns).prop_map(|names| {
        let numbered = names.iter().enumerate();
        numbered.map(|(number, name)| format!("v{number}{name}v")).collect()
    })
}

fn named_table() -> impl Strategy<Value = (Array2<f64>, Vec<String>)> {
    table().prop_flat_map(|table| {
        let columns = table.ncols();
        (Just(table), names(columns))
    })
}

fn same(expected: &Array2<f64>, found: ndarray::ArrayView2<'_, f64>) -> bool {
    let bits = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    expected.dim() == found.dim() && expected.iter().map(bits).eq(found.iter().map(bits))
}

fn write_csv(table: &Array2<f64>, names: &[String]) -> String {
    let quoted: Vec<String> =
        names.iter().map(|n| format!("\"{}\"", n.replace('"', "\"\""))).collect();
    let mut text = quoted.join(",") + "\n";
    for row in table.rows() {
        for (column, value) in row.iter().enumerate() {
            let separator = if column > 0 { "," } else { "" };
            write!(text, "{separator}{value:?}").unwrap();
        }
        text += "\n";
    }
    text
}

proptest! {
    #[test]
    fn csv_keeps_every_bit((table, names) in named_table()) {
        let panel = csv(&write_csv(&table, &names), &options()).unwrap().panel;
        prop_assert_eq!(panel.names(), names);
        prop_assert!(same(&table, panel.one_series(0)));
    }

    #[test]
    fn parquet_keeps_every_bit((table, names) in named_table()) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("table.parquet");
        let columns = names.iter().zip(table.columns()).map(|(name, column)| {
            let cells: Float64Array = column.iter().map(|x| (!x.is_nan()).then_some(*x)).collect();
            (name.as_str(), Arc::new(cells) as ArrayRef, true)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let panel = read_path(&path, &options()).unwrap().panel;
        prop_assert_eq!(panel.names(), names);
        prop_assert!(same(&table, panel.one_series(0)));
    }

    #[test]
    fn npy_keeps_every_bit(table in table(), fortran in any::<bool>()) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("table.npy");
        let turned = table.t().as_standard_layout().into_owned();
        if fortran {
            write_npy(&path, turned.t()).unwrap();
        } else {
            write_npy(&path, table.view()).unwrap();
        }
        let panel = read_path(&path, &options()).unwrap().panel;
        prop_assert!(same(&table, panel.one_series(0)));
    }

    #[test]
    fn any_bytes_are_an_error_or_a_panel(text in "[a-c0-9,;\"\n\r\t. -]{0,60}") {
        let _ = csv(&text, &options());
    }
}

#[test]
fn panels_of_several_series_come_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("panel.npy");
    let values = Array3::from_shape_fn((3, 4, 2), |(n, t, v)| (100 * n + 10 * t + v) as f64 / 7.0);
    write_npy(&path, values.view()).unwrap();
    assert_eq!(read_path(&path, &options()).unwrap().panel.values(), values);
}
