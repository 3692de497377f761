"""Data of any shape as one or more series of the same variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal
from dycausal.errors import FewCommonTimesError, NoVariableError, ShapeError
from dycausal.table import Table, plain, series_of, table_of
from dycausal.times import Times, is_time_name, refuse_repeated, times_of


@dataclass(eq=False)
class Panel:
    """Series of the same variables over the same steps.

    Parameters
    ----------
    values : array of float64 [series, time, variable]
        NaN is a missing cell; shorter series are missing at their ends.
    names : list of str
        The variables' names.
    series : list of str, optional
        The series' names.
    times : Times, optional
        The time of each step; plain steps without.
    notes : list of str
        What was taken for granted when the data were read.
    """

    values: NDArray[np.float64]
    names: list[str]
    series: list[str] | None = None
    times: Times | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Series, steps and variables."""
        series, steps, variables = self.values.shape
        return series, steps, variables

    def data(self) -> _dycausal.Data:
        """As the extension takes it; values in C order are not copied."""
        values = np.require(self.values, np.float64, ["C", "A"])
        times = None if self.times is None else self.times.numbers
        labels = None if self.times is None else self.times.labels
        return _dycausal.Data(values, self.names, self.series, times, labels)

    def with_values(self, values: NDArray[np.float64], series: list[str] | None = None) -> Panel:
        """Other series of the same variables and steps."""
        return Panel(values, self.names, series, self.times)


def as_panel(X: Any, *, id: str | None = None, time: str | None = None) -> Panel:
    """Makes a panel of data in any of the shapes that `fit` takes.

    Parameters
    ----------
    X : Panel, array, list, dict or data frame
        An array [time, variable] or [series, time, variable]; a list of arrays or frames, one per
        series; a dict of columns (1-d) or of series (2-d); a frame of pandas, polars or pyarrow.
        NaN and nulls are missing.
    id : str, optional
        The column that names the series (a long table).
    time : str, optional
        The column of times. Without it a column called time, date, datetime, timestamp or t is
        taken; the empty text says that there is none.

    Returns
    -------
    Panel
    """
    if isinstance(X, Panel):
        return X
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError(
            "sparse data were given; expected a dense array: sparse cells are zeros, not missing "
            "(X.toarray() makes it dense)"
        )
    table = table_of(X)
    if table is not None:
        return _from_table(table, id, time)
    if isinstance(X, Mapping):
        return _from_dict(X, id, time)
    if id is not None or time:
        raise ShapeError(
            f"id= and time= name columns, and {type(X).__name__} has none; give a data frame or a "
            "dict of columns",
            what="X",
            found=type(X).__name__,
            expected="a data frame or a dict of columns",
        )
    if isinstance(X, (list, tuple)) and any(np.ndim(x) == 2 or table_of(x) for x in X[:1]):
        return _from_list(X)
    return _from_array(X)


def _from_array(X: Any) -> Panel:
    array = np.ma.filled(X.astype(np.float64), np.nan) if np.ma.isMaskedArray(X) else np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: series have to be real numbers")
    if array.ndim not in (2, 3):
        raise ShapeError(
            f"X: found an array of shape {array.shape}; expected [time, variable] or [series, time, "
            "variable]. Reshape your data: X.reshape(-1, 1) is a single variable",
            what="X",
            found=str(array.shape),
            expected="[time, variable] or [series, time, variable]",
        )
    if 0 in array.shape:
        raise ShapeError(
            f"X: 0 sample(s) or 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.",
            what="X",
            found=str(array.shape),
            expected="at least one series, step and variable",
        )
    if array.dtype.kind not in "biuf":
        array = _numeric(array)
    values = array.astype(np.float64, copy=False)
    values = values[np.newaxis] if values.ndim == 2 else values
    return Panel(values, [f"x{v + 1}" for v in range(values.shape[2])])


def _numeric(array: NDArray[Any]) -> NDArray[np.float64]:
    try:
        return array.astype(np.float64)
    except TypeError as reason:
        raise TypeError(f"argument must be a string or a number: X holds {reason}") from reason
    except ValueError as reason:
        raise ShapeError(
            f"X holds {array.dtype}, not numbers: {reason}",
            what="X",
            found=str(array.dtype),
            expected="numbers",
        ) from reason


def _from_list(parts: Sequence[Any]) -> Panel:
    panels = [as_panel(part) for part in parts]
    return _side_by_side(panels, None)


def _side_by_side(panels: list[Panel], series: list[str] | None) -> Panel:
    """Series as long as the longest of them; the others are missing at their ends."""
    first = panels[0]
    for number, panel in enumerate(panels):
        if panel.values.shape[0] != 1:
            raise ShapeError(
                f"series {number + 1}: found {panel.values.shape[0]} series in one; expected "
                "[time, variable]",
                what=f"series {number + 1}",
                found=str(panel.values.shape),
                expected="[time, variable]",
            )
        if panel.names != first.names:
            raise ShapeError(
                f"variables of series {number + 1}: found {', '.join(panel.names)}; expected those "
                f"of the first series: {', '.join(first.names)}",
                what=f"variables of series {number + 1}",
                found=", ".join(panel.names),
                expected=", ".join(first.names),
            )
    steps = max(panel.values.shape[1] for panel in panels)
    values = np.full((len(panels), steps, len(first.names)), np.nan)
    for row, panel in zip(values, panels):
        row[: panel.values.shape[1]] = panel.values[0]
    return Panel(values, first.names, series, notes=first.notes)


def _from_dict(X: Mapping[Any, Any], id: str | None, time: str | None) -> Panel:
    if not X:
        raise NoVariableError("the dict is empty; give columns or series", file="data")
    dimensions = {2 if table_of(x) else np.ndim(x) for x in X.values()}
    if dimensions == {2}:
        return _side_by_side([as_panel(part) for part in X.values()], [str(name) for name in X])
    if dimensions != {1}:
        raise ShapeError(
            f"X: found a dict of arrays with {sorted(dimensions)} dimensions; expected columns "
            "(1-d) or series (2-d)",
            what="X",
            found=f"{sorted(dimensions)} dimensions",
            expected="1 or 2",
        )
    columns = {str(name): np.asarray(column) for name, column in X.items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise ShapeError(
            f"X: found columns of {sorted(lengths)} rows; expected one length",
            what="length of the columns",
            found=str(sorted(lengths)),
            expected="one length",
        )
    return _from_table(Table(columns, lengths.pop()), id, time)


def _from_table(table: Table, id: str | None, time: str | None) -> Panel:
    notes: list[str] = []
    series = table.series
    if id is not None:
        series = series_of(id, table.take(id))
    times, column = table.index, "index"
    if id is not None and times is not None and times.labels is None:
        times = None  # numbers of the rows of a long table
    if time is None and times is None:
        time = next((name for name in table.columns if is_time_name(name)), None)
        if time is not None:
            notes.append(f"column `{time}` is taken as the time")
    if time == "":
        times = None
    elif time is not None:
        times, column = times_of(time, plain(table.take(time))), time
    if not table.columns or not table.rows:
        raise NoVariableError(
            "there is no variable: every column is a time or an id, or there is no row", file="data"
        )
    names, values = list(table.columns), table.values()
    if series is None:
        if times is not None:
            times.check_order(column)
        return Panel(values[np.newaxis], names, None, times, notes)
    panel = _long(values, names, series, times)
    panel.notes = notes
    return panel


def _long(values: NDArray[np.float64], names: list[str], series: list[str], times: Times | None) -> Panel:
    """Rows of several series, side by side; series in the order in which they appear."""
    number = {name: k for k, name in enumerate(dict.fromkeys(series))}
    of_row = np.asarray([number[name] for name in series], dtype=np.intp)
    steps, union = _steps(of_row, times, len(number))
    count = int(steps.max()) + 1
    cells = len(number) * count
    if cells // len(series) >= 1000 and cells >= 1 << 24:
        raise FewCommonTimesError(
            f"{len(number)} series have {count} different times and only {len(series)} rows, so "
            "nearly every cell would be missing; round the times to a common grid, or give "
            'time="" to take the rows of each series in order',
            file="data",
            series=len(number),
            times=count,
            rows=len(series),
        )
    if times is not None:
        refuse_repeated(of_row, steps, list(number), times, count)
    filled = np.full((len(number), count, len(names)), np.nan)
    filled[of_row, steps] = values
    return Panel(filled, names, list(number), union)


def _steps(
    of_row: NDArray[np.intp], times: Times | None, series: int
) -> tuple[NDArray[np.intp], Times | None]:
    """The step of each row, and the time of each step."""
    if times is not None:
        _, first, steps = np.unique(times.numbers, return_index=True, return_inverse=True)
        return steps.astype(np.intp), times.take(first)
    seen = np.zeros(series, dtype=np.intp)
    steps = np.empty(len(of_row), dtype=np.intp)
    for row, number in enumerate(of_row):
        steps[row] = seen[number]
        seen[number] += 1
    return steps, None
