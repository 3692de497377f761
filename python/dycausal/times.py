"""When the steps were: plain steps, numbers or dates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal
from dycausal.errors import CellError, ColumnTypeError, DuplicateRowError, TimeOrderError

#: Names that a column of times goes by, as on the command line.
_NAMES = ("time", "date", "datetime", "timestamp")


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

    def check_order(self, column: str) -> None:
        """Refuses times that stand still or go back."""
        back = np.flatnonzero(np.diff(self.numbers) <= 0)
        if back.size:
            earlier, later = self.label(int(back[0])), self.label(int(back[0]) + 1)
            raise TimeOrderError(
                f"column `{column}`: time `{later}` (row {back[0] + 2}) does not come after "
                f"`{earlier}`; sort the rows by time and leave out repeated ones, name the series "
                'with id= if there are several, or give time="" if the column is no time',
                file="data",
                column=column,
                earlier=earlier,
                later=later,
            )


def is_time_name(name: str) -> bool:
    """Whether a column of this name is taken as the time."""
    return name == "t" or name.lower() in _NAMES


def times_of(column: str, values: Any) -> Times:
    """The times in a column of numbers, dates or text."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        array = _plain(column, array)
    if array.dtype.kind == "M":
        return _from_dates(column, array)
    if array.dtype.kind in "iuf":
        return _from_numbers(column, array.astype(np.float64))
    if array.dtype.kind in "UT":
        return _from_text(column, [str(text) for text in array])
    raise ColumnTypeError(
        f"column `{column}` holds {array.dtype}, which is no time; give numbers or dates",
        file="data",
        column=column,
        found=str(array.dtype),
    )


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


def refuse_repeated(
    of_row: NDArray[np.intp], steps: NDArray[np.intp], names: list[str], times: Times, count: int
) -> None:
    """Refuses a second row of one series and time."""
    slots = of_row * count + steps
    order = np.argsort(slots, kind="stable")
    twice = np.flatnonzero(np.diff(slots[order]) == 0)
    if twice.size:
        first, second = int(order[twice[0]]), int(order[twice[0] + 1])
        name, time = names[int(of_row[first])], times.label(first)
        raise DuplicateRowError(
            f"series `{name}` has two rows for time `{time}` (rows {first + 1} and {second + 1}); "
            "keep one of them",
            file="data",
            id=name,
            time=time,
            first=first + 1,
            second=second + 1,
        )
