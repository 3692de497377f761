//! Files that numpy, pandas, pyarrow and scipy wrote (`tests/data/make.py`).

use dycausal::{Panel, TimeIndex};
use dycausal_io::{ReadOptions, read_truth};
use ndarray::{Array3, Axis, array, concatenate};

use crate::{bits, data, long, options, read_path};

fn table() -> Array3<f64> {
    let nan = f64::NAN;
    array![[[0.1, 1e-300, 3.0], [1.0 / 3.0, nan, -2.5], [1e22, -0.0, 7.0], [5e-324, 2.5, 1e-7]]]
}

fn twice() -> Array3<f64> {
    concatenate![Axis(0), table(), 2.0 * table()]
}

fn expected(values: Array3<f64>) -> Vec<u64> {
    bits(&Panel::unnamed(values).unwrap())
}

fn panel_of(name: &str, options: &ReadOptions) -> Panel {
    match read_path(&data(name), options) {
        Ok(reading) => reading.panel,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn every_format_gives_the_same_bits() {
    for name in [
        "wide.npy",
        "big_endian.npy",
        "named.npz",
        "index.csv",
        "dated.csv",
        "zoned.csv",
        "dated.parquet",
        "plain.parquet",
        "zoned.parquet",
        "dated.feather",
        "lz4.arrow",
        "wide.mat",
    ] {
        assert_eq!(bits(&panel_of(name, &options())), expected(table()), "{name}");
    }
    for name in ["panel.npy", "fortran.npy"] {
        assert_eq!(bits(&panel_of(name, &options())), expected(twice()), "{name}");
    }
}

#[test]
fn names_are_kept() {
    for name in ["named.npz", "index.csv", "dated.csv", "zoned.parquet", "dated.feather"] {
        assert_eq!(panel_of(name, &options()).names(), ["rain", "river", "soil"], "{name}");
    }
    assert_eq!(panel_of("wide.npy", &options()).names(), ["x1", "x2", "x3"]);
}

#[test]
fn times_are_kept() {
    let day = 86_400.0;
    for name in ["dated.csv", "dated.parquet", "dated.feather", "lz4.arrow"] {
        let panel = panel_of(name, &options());
        assert_eq!(panel.times().label(2), "2024-02-01", "{name}");
        assert_eq!(panel.times().spacing(), Some(day), "{name}");
    }
    for (name, label) in
        [("zoned.csv", "2024-01-31 00:00:00+01:00"), ("zoned.parquet", "2024-01-31T00:00:00+01:00")]
    {
        let panel = panel_of(name, &options());
        assert_eq!(panel.times().label(2), label);
        let TimeIndex::Dates { seconds, .. } = panel.times() else { panic!("{name} has no dates") };
        assert_eq!(seconds[2], 1_706_655_600.0, "{name}");
    }
    let index = panel_of("index.csv", &options());
    assert_eq!(index.times(), &TimeIndex::Numbers(vec![0.0, 1.0, 2.0, 3.0]));
}

#[test]
fn long_tables_miss_what_they_do_not_have() {
    let mut values = twice();
    values.index_axis_mut(Axis(0), 1).row_mut(0).fill(f64::NAN);
    for name in ["long.csv", "long.parquet", "category.parquet", "zstd.arrow"] {
        let panel = panel_of(name, &long("station", "date"));
        assert_eq!(panel.series_names(), ["b", "a"], "{name}");
        assert_eq!(bits(&panel), expected(values.clone()), "{name}");
        assert_eq!(panel.times().label(0), "2024-01-30", "{name}");
    }
}

#[test]
fn arrays_are_chosen_by_name() {
    let asked = |name: &str| ReadOptions { array: Some(name.into()), ..options() };
    assert_eq!(bits(&panel_of("several.npz", &asked("first"))), expected(twice()));
    assert_eq!(bits(&panel_of("several.npz", &asked("second"))), expected(table()));
    assert_eq!(bits(&panel_of("packed.mat", &asked("panel"))), expected(twice()));
    assert_eq!(bits(&panel_of("packed.mat", &asked("data"))), expected(table()));
}

#[test]
fn narrow_numbers_are_widened() {
    let single = panel_of("single.npy", &options());
    assert_eq!(single.values()[[0, 1, 0]], f64::from(1.0f32 / 3.0));
    let whole = panel_of("integers.mat", &options());
    assert_eq!(whole.values(), array![[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]].view());
    let table = panel_of("integers.parquet", &options());
    assert_eq!((table.values()[[0, 2, 2]], table.missing()), (255.0, 1));
}

#[test]
fn a_truth_of_booleans_without_time_is_one_step() {
    let truth = read_truth(&data("truth_bool.npy")).unwrap();
    assert_eq!(truth.dim(), (1, 2, 3, 3));
    assert_eq!((truth[[0, 0, 0, 0]], truth[[0, 1, 0, 1]]), (0.0, 1.0));
    let refused = read_truth(&data("integers.npy")).unwrap_err().to_string();
    assert!(refused.contains("shape [3, 2]"), "{refused}");
}
