"""Data of any shape as one or more series of the same variables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal
from dycausal.errors import NoVariableError, ParameterError, ShapeError
from dycausal.table import Table, plain, series_of, table_of
from dycausal.times import Times, time_column, written_times


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


@dataclass(frozen=True)
class Roles:
    """Which columns are no variables, and how times are to be read."""

    id: str | None = None
    time: str | None = None
    variable: str | None = None
    value: str | None = None
    every: str | None = None
    dates: str | None = None
    zone: str | None = None

    def about_times(self) -> str:
        """What the extension needs to know of times, as JSON."""
        return json.dumps({"every": self.every, "dates": self.dates, "zone": self.zone})


def as_panel(
    X: Any,
    *,
    id: str | None = None,
    time: str | None = None,
    variable: str | None = None,
    value: str | None = None,
    every: str | None = None,
    dates: str | None = None,
    zone: str | None = None,
) -> Panel:
    """Makes a panel of data in any of the shapes that `fit` takes.

    Times have to be even: numbers, hours, days, business days, weeks, months. Steps that are not
    there are missing, so that no lag reaches across a hole.

    Parameters
    ----------
    X : Panel, array, list, dict or data frame
        An array [time, variable] or [series, time, variable]; a list of arrays or frames, one per
        series; a dict of columns (1-d) or of series (2-d); a frame of pandas, polars or pyarrow.
        NaN and nulls are missing.
    id : str, optional
        The column that names the series (a long table).
    time : str, optional
        The column of times. Without it a column called time, date, datetime, timestamp, t or year
        is taken; the empty text says that there is none.
    variable, value : str, optional
        The columns of names and values, in a table with one row per value.
    every : str, optional
        Even steps to bring irregular times to: "15min", "1h", "1d", "1month", …, with the mean of
        each step, or with ":last" or ":sum".
    dates : str, optional
        "day-first" or "month-first", for dates as text such as 03/04/2021.
    zone : str, optional
        The time zone of dates that name none, such as "Europe/Berlin".

    Returns
    -------
    Panel
    """
    roles = Roles(id, time, variable, value, every, dates, zone)
    if isinstance(X, Panel):
        if every is not None:
            return _again(X, roles)
        return X
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError(
            "sparse data were given; expected a dense array: sparse cells are zeros, not missing "
            "(X.toarray() makes it dense)"
        )
    table = table_of(X)
    if table is not None:
        return _from_table(table, roles)
    if isinstance(X, Mapping):
        return _from_dict(X, roles)
    listed = isinstance(X, (list, tuple)) and any(np.ndim(x) == 2 or table_of(x) for x in X[:1])
    if listed and id is None:
        return _from_list(X, roles)
    if id is not None or time or every:
        raise ShapeError(
            f"id=, time= and every= are about columns and times, and {type(X).__name__} has none; give "
            "a data frame or a dict of columns",
            what="X",
            found=type(X).__name__,
            expected="a data frame or a dict of columns",
        )
    return _from_array(X)


def _again(panel: Panel, roles: Roles) -> Panel:
    """A panel brought to other steps."""
    if panel.times is None:
        raise ParameterError(
            "every= needs times, and the panel has none",
            name="every",
            found=str(roles.every),
            expected="None",
        )
    series, steps, variables = panel.shape
    names = panel.series or [str(k + 1) for k in range(series)]
    rows = panel.values.reshape(series * steps, variables)
    times = panel.times.take(np.tile(np.arange(steps), series))
    owners = [name for name in names for _ in range(steps)]
    return _arrange(rows, panel.names, owners, times, "time", roles)


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


def _from_list(parts: Sequence[Any], roles: Roles) -> Panel:
    return _side_by_side([_part(part, roles) for part in parts], None, roles)


def _part(part: Any, roles: Roles) -> Panel:
    """One series of several; arrays have no times."""
    if table_of(part) is None and not isinstance(part, (Mapping, Panel)):
        return as_panel(part)
    return as_panel(part, time=roles.time, every=roles.every, dates=roles.dates, zone=roles.zone)


def _side_by_side(panels: list[Panel], series: list[str] | None, roles: Roles) -> Panel:
    """Series of one panel: by their times, or from the first step on where they have none."""
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
    if all(panel.times is not None for panel in panels):
        return _by_time(panels, series)
    steps = max(panel.values.shape[1] for panel in panels)
    values = np.full((len(panels), steps, len(first.names)), np.nan)
    for row, panel in zip(values, panels):
        row[: panel.values.shape[1]] = panel.values[0]
    return Panel(values, first.names, series, notes=first.notes)


def _by_time(panels: list[Panel], series: list[str] | None) -> Panel:
    """Series side by side, each at its times."""
    names = series or [str(k + 1) for k in range(len(panels))]
    times = [panel.times for panel in panels if panel.times is not None]
    labels = None
    if all(part.labels is not None for part in times):
        labels = [label for part in times for label in part.labels or []]
    numbers = np.concatenate([part.numbers for part in times])
    owners = [name for name, panel in zip(names, panels) for _ in range(panel.shape[1])]
    rows = np.concatenate([panel.values[0] for panel in panels])
    together = _arrange(rows, panels[0].names, owners, Times(numbers, labels), "time", Roles())
    notes = dict.fromkeys(note for panel in panels for note in panel.notes)
    together.notes = [*notes, *(note for note in together.notes if note not in notes)]
    return together


def _from_dict(X: Mapping[Any, Any], roles: Roles) -> Panel:
    if not X:
        raise NoVariableError("the dict is empty; give columns or series", file="data")
    dimensions = {2 if table_of(x) else np.ndim(x) for x in X.values()}
    if dimensions == {2}:
        parts = [_part(part, roles) for part in X.values()]
        return _side_by_side(parts, [str(name) for name in X], roles)
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
    return _from_table(Table(columns, lengths.pop()), roles)


def _from_table(table: Table, roles: Roles) -> Panel:
    notes: list[str] = []
    series, id, time = table.series, roles.id, roles.time
    if id is not None:
        series = series_of(id, table.take(id))
    times, column = table.index, "index"
    if id is not None and isinstance(times, Times) and times.labels is None:
        times = None  # numbers of the rows of a long table
    if time is None and times is None:
        time = time_column(name for name in table.columns if name not in (roles.variable, roles.value))
        if time is not None:
            notes.append(f"column `{time}` is taken as the time")
    if time == "":
        times = None
    elif time is not None:
        times, column = written_times(time, plain(table.take(time))), time
    if roles.variable is not None or roles.value is not None:
        return _one_value_per_row(table, series, times, column, roles, notes)
    if not table.columns or not table.rows:
        raise NoVariableError(
            "there is no variable: every column is a time or an id, or there is no row", file="data"
        )
    panel = _arrange(table.values(), list(table.columns), series, times, column, roles)
    panel.notes = notes + panel.notes
    return panel


def _one_value_per_row(
    table: Table,
    series: list[str] | None,
    times: Times | list[str] | None,
    column: str,
    roles: Roles,
    notes: list[str],
) -> Panel:
    """A table whose rows name their variable."""
    if roles.variable is None or roles.value is None or times is None:
        raise ParameterError(
            "variable=, value= and time= go together (one row per value); give all of them",
            name="variable",
            found=str(roles.variable),
            expected="variable=, value= and time=",
        )
    variables = series_of(roles.variable, table.take(roles.variable))
    value = table.take(roles.value)
    rows = Table({roles.value: value}, table.rows).values()
    panel = _arrange(rows, None, series, times, column, roles, variables)
    panel.notes = notes + panel.notes
    return panel


def _arrange(
    values: NDArray[np.float64],
    names: list[str] | None,
    series: list[str] | None,
    times: Times | list[str] | None,
    column: str,
    roles: Roles,
    variables: list[str] | None = None,
) -> Panel:
    """Rows on the steps of their series, as the extension places those of files."""
    numbers = times.numbers if isinstance(times, Times) else None
    labels = times.labels if isinstance(times, Times) else times
    data, (steps, dates), notes = _dycausal.arrange(
        values, names, series, variables, numbers, labels, column, roles.about_times()
    )
    if data is None:
        found = None if steps is None else Times(steps, dates)
        return Panel(values[np.newaxis], names or [], None, found, notes)
    found = None if data.times is None else Times(data.times, data.labels)
    owners = data.series if series is not None else None
    return Panel(data.values, data.names, owners, found, notes)
