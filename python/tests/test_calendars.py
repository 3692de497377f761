"""Times of frames and files: calendars, holes, irregular stamps."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest
from dycausal import LaggedLeastSquares, as_panel, errors, read
from dycausal.distributed import moments
from dycausal.inspect import inspect

RNG = np.random.default_rng(3)


def frame(index, columns=("a", "b")):
    return pd.DataFrame(RNG.normal(size=(len(index), len(columns))), index=index, columns=list(columns))


@pytest.mark.parametrize(
    ("index", "step"),
    [
        (pd.date_range("2020-01-31", periods=30, freq="ME"), "month"),
        (pd.date_range("2020-01-01", periods=30, freq="QS"), "quarter"),
        (pd.date_range("2020-01-01", periods=30, freq="YS"), "year"),
        (pd.date_range("2020-01-01", periods=30, freq="B"), "business day"),
        (pd.date_range("2020-01-01", periods=30, freq="W"), "week"),
        (pd.date_range("2020-03-15", periods=30, freq="D", tz="Europe/Berlin"), "day"),
        (pd.date_range("2020-03-28", periods=60, freq="h", tz="Europe/Berlin"), "hour"),
        (pd.period_range("2020-01", periods=30, freq="M"), "month"),
        (np.arange(1990, 2020), "1"),
    ],
)
def test_calendars_are_even(index, step):
    data = frame(index)
    panel = as_panel(data)
    assert panel.shape == (1, len(index), 2)
    assert np.shares_memory(panel.values, data.to_numpy()) or (panel.values[0] == data.to_numpy()).all()
    found = inspect(data)
    assert found.step == step
    assert found.holes == ()


def test_a_hole_is_missing_and_listed():
    data = frame(pd.date_range("2024-01-01", periods=60, freq="h")).drop(
        pd.date_range("2024-01-01 10:00", periods=5, freq="h")
    )
    panel = as_panel(data)
    assert panel.shape == (1, 60, 2)
    assert np.isnan(panel.values[0, 10:15]).all()
    assert panel.times.labels[12] == "2024-01-01T12:00:00"
    (hole,) = inspect(data).holes
    assert (hole.from_, hole.to, hole.steps) == ("2024-01-01T10:00:00", "2024-01-01T14:00:00", 5)
    fitted = LaggedLeastSquares(window=8).fit(data)
    assert any("5 of 60 steps (every hour)" in text for text in fitted.warnings_)
    assert fitted.graph_.at("2024-01-01T12:00:00") is not None


def test_irregular_times_are_refused_with_what_to_do_and_brought_to_steps():
    stamps = pd.to_datetime("2024-01-01") + pd.to_timedelta(np.cumsum(RNG.uniform(40, 80, size=300)), "min")
    data = frame(stamps)
    with pytest.raises(errors.UnevenError, match=r'every="1h:mean"') as raised:
        as_panel(data)
    assert raised.value.every == "1h:mean"
    panel = as_panel(data, every="2h")
    expected = data.resample("2h").mean()
    assert np.allclose(panel.values[0], expected.to_numpy(), equal_nan=True)
    assert panel.times.numbers[0] == expected.index[0].timestamp()
    last = as_panel(data, every="2h:last")
    assert np.array_equal(last.values[0], data.resample("2h").last().to_numpy(), equal_nan=True)
    LaggedLeastSquares().fit(data, every="2h")
    assert as_panel(as_panel(data, every="2h"), every="1d:sum").shape[1] < 20
    with pytest.raises(ValueError, match="every"):
        as_panel(data, every="often")


def test_long_frames_and_one_row_per_value():
    days = pd.date_range("2024-01-01", periods=10, freq="D")
    wide = frame(days)
    tidy = wide.rename_axis("day").reset_index().melt(id_vars="day", var_name="name", value_name="x")
    for table in (tidy, pl.from_pandas(tidy)):
        panel = as_panel(table, variable="name", value="x", time="day")
        assert panel.names == ["a", "b"]
        assert np.array_equal(panel.values[0], wide.to_numpy())
    with pytest.raises(errors.DuplicateValueError, match="two values") as raised:
        as_panel(pd.concat([tidy, tidy.head(1)]), variable="name", value="x", time="day")
    assert raised.value.variable == "a"
    with pytest.raises(errors.ParameterError, match="go together"):
        as_panel(tidy, variable="name", time="day")


def test_frames_side_by_side_stand_at_their_times():
    first, second = (
        frame(pd.date_range("2024-01-01", periods=6)),
        frame(pd.date_range("2024-01-04", periods=6)),
    )
    panel = as_panel({"x": first, "y": second})
    assert panel.shape == (2, 9, 2)
    assert panel.series == ["x", "y"]
    assert np.array_equal(panel.values[1, 3:], second.to_numpy())
    assert np.isnan(panel.values[1, :3]).all()


def test_text_dates_and_years():
    table = {"when": ["30/01/2024", "31/01/2024", "01/02/2024"], "a": [1.0, 2.0, 3.0]}
    assert (
        as_panel(table, time="when").times.numbers[2] - as_panel(table, time="when").times.numbers[0]
        == 2 * 86400
    )
    both = {"when": ["01/02/2024", "02/02/2024"], "a": [1.0, 2.0]}
    with pytest.raises(errors.CellError, match='dates="day-first"'):
        as_panel(both, time="when")
    assert as_panel(both, time="when", dates="day-first").shape[1] == 2
    years = as_panel({"year": [2001, 2002, 2004, 2005], "a": [1.0, 2.0, 3.0, 4.0]})
    assert years.names == ["a"]
    assert years.shape[1] == 5


def test_files_are_read_with_the_same_words(tmp_path):
    for k in (1, 2):
        data = frame(pd.date_range("2024-01-01", periods=20, freq="h").rename("time"))
        (tmp_path / f"s{k}.csv.gz").write_bytes(gzip.compress(data.to_csv().encode()))
    panel = read(tmp_path / "s*.csv.gz")
    assert panel.series == ["s1", "s2"]
    assert panel.shape == (2, 20, 2)
    again = read([tmp_path / "s1.csv.gz", tmp_path / "s2.csv.gz"], every="2h")
    assert again.shape == (2, 10, 2)
    with pytest.raises(errors.NoFileFitsError):
        read(tmp_path / "t*.csv")
    with pytest.raises(errors.OptionsTogetherError, match="value="):
        read(tmp_path / "s1.csv.gz", variable="a")
    comma = tmp_path / "comma.csv"
    comma.write_text("a;b\n1,5;2\n2,5;3\n")
    assert read(comma).values[0, 0, 0] == 1.5


def test_parts_of_a_data_set_have_the_holes_of_all(tmp_path):
    whole = pd.DataFrame(RNG.normal(size=(40, 2)), columns=["a", "b"])
    whole.insert(0, "time", [*range(20), *range(25, 45)])
    for k in (1, 2):
        whole.assign(id=k).to_csv(tmp_path / f"{k}.csv", index=False)
    found = moments(tmp_path, lag=1, id="id", time="time")
    assert len(found.times) == 45
