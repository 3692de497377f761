"""When the steps were: plain steps, numbers or dates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal
from dycausal.errors import CellError, ColumnTypeError

#: Names that a column of times goes by, as on the command line.
_NAMES = ("time", "date", "datetime", "timestamp")

#: Beside a column of one of these names, a year is only a part of the time.
_PARTS = ("month", "quarter", "week", "day", "hour")


class Times:
    """The time of each row or step.

    Parameters
    ----------
    numbers : array of float
        Numbers; seconds since 1970 for dates.
    labels : list of str, optional
        Dates as they are written.
    """

    def __init__(self, numbers: NDArray[np.float64], labels: list[str] | None = None) -> None:
        self.numbers = numbers
        self.labels = labels

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: NDArray[np.intp]) -> Times:
        """The times of some rows."""
        labels = None if self.labels is None else [self.labels[row] for row in rows]
        return Times(self.numbers[rows], labels)

    def label(self, row: int) -> str:
        """The time of a row as a person would write it."""
        return f"{self.numbers[row]:g}" if self.labels is None else self.labels[row]


def time_column(names: Iterable[str]) -> str | None:
    """The column that is taken as the time; a year alone, where nothing says more."""
    names = list(names)
    named = next((name for name in names if name == "t" or name.lower() in _NAMES), None)
    if named is not None or any(name.lower() in _PARTS for name in names):
        return named
    return next((name for name in names if name.lower() == "year"), None)


def times_of(column: str, values: Any) -> Times:
    """The times in a column of numbers, dates or text."""
    found = written_times(column, values)
    return found if isinstance(found, Times) else _from_text(column, found)


def written_times(column: str, values: Any) -> Times | list[str]:
    """The times in a column of numbers or dates; text as it is written."""
    clock = _on_wall(values)
    if clock is not None:
        return clock
    array = np.asarray(values)
    if array.dtype.kind == "O":
        array = _plain(column, array)
    if array.dtype.kind == "M":
        return _from_dates(column, array)
    if array.dtype.kind in "iuf":
        return _from_numbers(column, array.astype(np.float64))
    if array.dtype.kind in "UT":
        return [str(text) for text in array]
    raise ColumnTypeError(
        f"column `{column}` holds {array.dtype}, which is no time; give numbers or dates",
        file="data",
        column=column,
        found=str(array.dtype),
    )


def _on_wall(values: Any) -> Times | None:
    """Dates of a zone whose clock is not UTC's, as they are on that clock; None for all others."""
    first = next((x for x in values if x is not None), None) if len(values) else None
    if getattr(first, "tzinfo", None) is None or not hasattr(first, "isoformat"):
        return None
    moments = list(values)
    if any(x is None or x != x for x in moments) or all(not x.utcoffset() for x in moments):
        return None
    return Times(np.asarray([x.timestamp() for x in moments]), [x.isoformat() for x in moments])


def _plain(column: str, array: NDArray[Any]) -> NDArray[Any]:
    """Python's dates, pandas' timestamps and periods, numbers or text as one NumPy type."""
    first = next((x for x in array if x is not None), None)
    if isinstance(first, str):
        return np.asarray([str(x) for x in array])
    if hasattr(first, "to_timestamp"):  # a pandas Period
        return np.asarray([x.to_timestamp() for x in array], dtype="datetime64[ns]")
    if getattr(first, "tzinfo", None) is not None:
        from datetime import timezone

        array = np.asarray([x.astimezone(timezone.utc).replace(tzinfo=None) for x in array])
    kind = "datetime64[us]" if hasattr(first, "year") else np.float64
    try:
        return np.asarray(array, dtype=kind)
    except (TypeError, ValueError) as reason:
        raise ColumnTypeError(
            f"column `{column}` is no time: {reason}", file="data", column=column, found="objects"
        ) from reason


def _from_numbers(column: str, numbers: NDArray[np.float64]) -> Times:
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        _refuse(column, int(bad[0]), str(numbers[bad[0]]), "a finite number")
    return Times(numbers)


def _from_dates(column: str, dates: NDArray[Any]) -> Times:
    bad = np.flatnonzero(np.isnat(dates))
    if bad.size:
        _refuse(column, int(bad[0]), "nothing", "a date")
    micro = dates.astype("datetime64[us]")
    whole_days = bool((micro == micro.astype("datetime64[D]")).all())
    whole_seconds = bool((micro == micro.astype("datetime64[s]")).all())
    unit: Any = "D" if whole_days else "s" if whole_seconds else "us"
    labels = [str(text) for text in np.datetime_as_string(micro, unit=unit)]
    return Times(micro.astype(np.int64) / 1e6, labels)


def _from_text(column: str, texts: list[str]) -> Times:
    seconds, bad = _dycausal.seconds(texts)
    if seconds is not None:
        return Times(seconds, texts)
    try:
        return _from_numbers(column, np.asarray(texts, dtype=np.float64))
    except ValueError:
        row = bad or 0
        _refuse(column, row, texts[row], "a number or a date such as 2024-05-31 or 2024-05-31 18:00")
    raise AssertionError


def _refuse(column: str, row: int, found: str, expected: str) -> None:
    raise CellError(
        f"row {row + 1}, column `{column}`: found `{found}`; expected {expected}",
        file="data",
        place=row + 1,
        column=column,
        found=found,
        expected=expected,
    )
