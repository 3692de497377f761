"""Data of every shape."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dycausal import LaggedLeastSquares, Ordered, as_panel, errors

RNG = np.random.default_rng(1)
WIDE = RNG.normal(size=(12, 3))


def long_frame():
    """Three series of unequal length; rows in disorder."""
    rows = [
        {"who": name, "when": step, "a": 10 * k + step, "b": -float(step)}
        for k, name in enumerate(["z", "y", "x"])
        for step in range(4 + k)
    ]
    return pd.DataFrame(rows).sample(frac=1, random_state=0)


def test_a_matrix_is_one_series_and_is_not_copied():
    panel = as_panel(WIDE)
    assert panel.shape == (1, 12, 3)
    assert panel.names == ["x1", "x2", "x3"]
    assert np.shares_memory(panel.data().values, WIDE)


def test_three_axes_are_series_and_are_not_copied():
    values = RNG.normal(size=(2, 12, 3))
    assert np.shares_memory(as_panel(values).data().values, values)


@pytest.mark.parametrize(
    "make",
    [
        np.asfortranarray,
        lambda x: np.repeat(x, 2, axis=0)[::2],
        lambda x: x[::-1][::-1],
        lambda x: x.tolist(),
    ],
    ids=["fortran", "strided", "backwards", "lists"],
)
def test_other_layouts_give_the_same_values(make):
    assert (as_panel(make(WIDE)).data().values[0] == WIDE).all()


def test_other_numbers_become_doubles():
    for kind in (np.float32, np.int16, bool):
        values = (WIDE > 0).astype(kind)
        panel = as_panel(values)
        assert panel.values.dtype == np.float64
        assert (panel.values[0] == values).all()
    big_endian = WIDE.astype(">f8")
    assert (as_panel(big_endian).data().values[0] == WIDE).all()


def test_the_input_is_never_changed():
    values = RNG.normal(size=(40, 3))
    before = values.copy()
    LaggedLeastSquares().fit(values)
    Ordered().fit(values)
    assert (values == before).all()
    assert values.flags.writeable


def test_read_only_memory_is_read():
    values = RNG.normal(size=(40, 3))
    values.setflags(write=False)
    LaggedLeastSquares().fit(values)


def test_a_masked_array_is_missing_where_it_is_masked():
    masked = np.ma.masked_array(WIDE, mask=np.zeros_like(WIDE, dtype=bool))
    masked[2, 1] = np.ma.masked
    values = as_panel(masked).values
    assert np.isnan(values[0, 2, 1])
    assert np.isnan(values).sum() == 1


def test_a_list_of_series_is_missing_at_the_ends():
    panel = as_panel([WIDE, WIDE[:5]])
    assert panel.shape == (2, 12, 3)
    assert np.isnan(panel.values[1, 5:]).all()
    assert (panel.values[1, :5] == WIDE[:5]).all()


def test_a_dict_is_columns_or_series():
    columns = as_panel({"rain": WIDE[:, 0], "river": WIDE[:, 1]})
    assert columns.names == ["rain", "river"]
    assert columns.shape == (1, 12, 2)
    series = as_panel({"first": WIDE, "second": WIDE[:7]})
    assert series.series == ["first", "second"]
    assert series.shape == (2, 12, 3)


def test_a_wide_frame_keeps_its_names_and_dates():
    frame = pd.DataFrame(WIDE, columns=["a", "b", "c"], index=pd.date_range("2024-05-30", periods=12))
    panel = as_panel(frame)
    assert panel.names == ["a", "b", "c"]
    assert panel.times.labels[:2] == ["2024-05-30", "2024-05-31"]
    assert panel.times.numbers[1] - panel.times.numbers[0] == 86400
    assert (panel.values[0] == WIDE).all()


def test_a_frame_that_holds_an_array_is_not_copied():
    values = RNG.normal(size=(12, 3))
    assert np.shares_memory(as_panel(pd.DataFrame(values, copy=False)).data().values, values)


def test_an_index_that_only_counts_is_no_time_and_one_that_does_not_is():
    frame = pd.DataFrame(WIDE)
    assert as_panel(frame).times is None
    frame.index = np.arange(12) * 0.5 + 1990
    assert as_panel(frame).times.numbers[1] == 1990.5


def test_a_column_called_time_is_taken_as_the_time_and_said_so():
    frame = pd.DataFrame(WIDE, columns=["a", "b", "c"]).assign(Time=np.arange(12) * 2.0)
    panel = as_panel(frame)
    assert panel.names == ["a", "b", "c"]
    assert panel.times.numbers[1] == 2
    assert "`Time` is taken as the time" in panel.notes[0]
    assert as_panel(frame, time="").names == ["a", "b", "c", "Time"]


@pytest.mark.parametrize(
    "make", [lambda f: f, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "pyarrow"]
)
def test_long_tables_of_every_library(make):
    panel = as_panel(make(long_frame().reset_index(drop=True)), id="who", time="when")
    frame = long_frame()
    assert panel.series == list(dict.fromkeys(frame["who"]))
    assert panel.names == ["a", "b"]
    assert panel.shape == (3, 6, 2)
    for _, row in frame.iterrows():
        k = panel.series.index(row["who"])
        assert panel.values[k, row["when"], 0] == row["a"]
    assert np.isnan(panel.values).sum() == 2 * (18 - len(frame))


def test_two_levels_of_an_index_are_series_and_time():
    indexed = long_frame().set_index(["who", "when"])
    direct = as_panel(long_frame(), id="who", time="when")
    panel = as_panel(indexed)
    assert panel.series == direct.series
    assert np.array_equal(panel.values, direct.values, equal_nan=True)


def test_without_a_time_the_rows_of_a_series_are_its_steps():
    frame = long_frame().drop(columns="when")
    panel = as_panel(frame, id="who")
    assert panel.times is None
    assert panel.shape == (3, 6, 2)


def test_nulls_of_every_library_are_missing():
    columns = {"a": [1.0, None, 3.0], "b": [1, 2, None]}
    frames = [
        pd.DataFrame(columns),
        pd.DataFrame(columns).astype({"b": "Int64", "a": "Float64"}),
        pl.DataFrame(columns),
        pl.DataFrame(columns).lazy(),
        pa.table(columns),
        pa.RecordBatch.from_pydict(columns),
        pd.DataFrame(columns, dtype=object),
    ]
    for frame in frames:
        values = as_panel(frame).values[0]
        assert np.isnan(values).tolist() == [[False, False], [True, False], [False, True]]
        assert values[2, 0] == 3


@pytest.mark.parametrize(
    "times",
    [
        ["2024-01-01", "2024-01-02", "2024-01-03"],
        pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]),
        pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]).tz_localize("UTC"),
        [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2), datetime.date(2024, 1, 3)],
        pd.PeriodIndex(["2024-01-01", "2024-01-02", "2024-01-03"], freq="D"),
    ],
    ids=["text", "timestamps", "zoned", "dates", "periods"],
)
def test_dates_of_every_kind(times):
    frame = pd.DataFrame({"when": times, "a": [1.0, 2.0, 3.0]})
    found = as_panel(frame, time="when").times
    assert found.numbers.tolist() == [1704067200, 1704153600, 1704240000]
    assert found.labels[2] == "2024-01-03"


def test_quarters_and_times_of_day_as_text():
    frame = pd.DataFrame({"when": ["2024-Q1", "2024-Q2"], "a": [1.0, 2.0]})
    assert as_panel(frame, time="when").times.labels == ["2024-Q1", "2024-Q2"]
    frame = pl.DataFrame(
        {"when": [datetime.datetime(2024, 1, 1, 6, 30), datetime.datetime(2024, 1, 1, 7)], "a": [1, 2]}
    )
    assert as_panel(frame, time="when").times.labels[0] == "2024-01-01T06:30:00"


@pytest.mark.parametrize(
    ("X", "options", "error", "says"),
    [
        (np.zeros(5), {}, errors.ShapeError, "Reshape your data"),
        (np.zeros((2, 2, 2, 2)), {}, errors.ShapeError, "(2, 2, 2, 2)"),
        (np.zeros((0, 3)), {}, errors.ShapeError, "0 sample"),
        (np.array([["a", "b"], ["c", "d"]]), {}, errors.ShapeError, "not numbers"),
        (pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}), {}, errors.ColumnTypeError, "`a` holds text"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, errors.DuplicateColumnError, "both called `a`"),
        (pd.DataFrame({"a": [1, 2]}), {"id": "b"}, errors.NoSuchColumnError, "no column `b`"),
        (pd.DataFrame({"t": [1, 2]}), {}, errors.NoVariableError, "no variable"),
        (pd.DataFrame({"t": [2, 1], "a": [1, 2]}), {}, errors.TimeOrderError, "does not come after"),
        (
            pd.DataFrame({"t": [1, 1], "a": [1, 2], "i": [1, 1]}),
            {"id": "i"},
            errors.DuplicateRowError,
            "two rows",
        ),
        (pd.DataFrame({"i": [1, None], "a": [1, 2]}), {"id": "i"}, errors.CellError, "row 2, column `i`"),
        (pl.DataFrame({"i": ["x", None], "a": [1, 2]}), {"id": "i"}, errors.CellError, "row 2, column `i`"),
        (pd.DataFrame({"t": ["soon", "late"], "a": [1, 2]}), {}, errors.CellError, "`soon`"),
        ([WIDE, WIDE[:, :2]], {}, errors.ShapeError, "series 2"),
        ({"a": [1, 2], "b": [1]}, {}, errors.ShapeError, "one length"),
        ({}, {}, errors.NoVariableError, "empty"),
        (WIDE, {"id": "a"}, errors.ShapeError, "has none"),
    ],
)
def test_what_is_no_data_is_refused_with_what_to_do(X, options, error, says):
    with pytest.raises(error) as raised:
        as_panel(X, **options)
    assert says in str(raised.value)
    assert isinstance(raised.value, (ValueError, TypeError))


def test_the_rust_refuses_by_name():
    frame = pd.DataFrame(RNG.normal(size=(30, 2)), columns=["a", "b"])
    frame.loc[3, "b"] = np.inf
    with pytest.raises(errors.NotFiniteError) as raised:
        Ordered().fit(frame)
    assert (raised.value.variable, raised.value.step, float(raised.value.value)) == ("b", 3, np.inf)
    frame["b"] = 2.0
    with pytest.raises(errors.ConstantError, match="`b` is constant"):
        Ordered().fit(frame)
    frame["b"] = np.nan
    with pytest.raises(errors.AllMissingError, match="`b` has no value"):
        Ordered().fit(frame)
    with pytest.raises(errors.TooShortError) as short:
        Ordered(lag=9).fit(RNG.normal(size=(8, 2)))
    assert (short.value.steps, short.value.needed) == (8, 11)
