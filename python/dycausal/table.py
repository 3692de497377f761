"""Data frames of any library as named columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal.errors import CellError, ColumnTypeError, DuplicateColumnError, NoSuchColumnError
from dycausal.times import Times, written_times


@dataclass
class Table:
    """Columns in order, and what the index of the frame says of times and series."""

    columns: dict[str, Any]
    rows: int
    index: Times | list[str] | None = None
    series: list[str] | None = None
    matrix: NDArray[Any] | None = field(default=None, repr=False)

    def take(self, name: str) -> Any:
        """Takes a column out."""
        if name not in self.columns:
            known = list(self.columns)
            raise NoSuchColumnError(
                f"there is no column `{name}`; there are: {', '.join(known)}",
                file="data",
                name=name,
                nearest=None,
                known=known,
            )
        self.matrix = None
        return self.columns.pop(name)

    def values(self) -> NDArray[np.float64]:
        """The columns that are left, side by side [row, column]."""
        if self.matrix is not None and self.matrix.dtype == np.float64:
            return self.matrix
        values = np.empty((self.rows, len(self.columns)))
        for number, (name, column) in enumerate(self.columns.items()):
            values[:, number] = numbers_of(name, column)
        return values


def table_of(frame: Any) -> Table | None:
    """The columns of a frame of pandas, polars or pyarrow; None for anything else."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" and hasattr(frame, "columns"):
        return _from_pandas(frame)
    if library == "polars" and type(frame).__name__ in ("DataFrame", "LazyFrame"):
        frame = frame.collect() if hasattr(frame, "collect") else frame
        return Table({name: frame[name] for name in frame.columns}, frame.height)
    if library == "pyarrow" and hasattr(frame, "column_names"):
        names = [str(name) for name in frame.column_names]
        _refuse_twins(names)
        return Table({name: frame.column(k) for k, name in enumerate(names)}, frame.num_rows)
    return None


def _from_pandas(frame: Any) -> Table:
    names = [_text(name) for name in frame.columns]
    _refuse_twins(names)
    columns = {name: frame.iloc[:, number] for number, name in enumerate(names)}
    table = Table(columns, len(frame))
    if frame.index.nlevels == 2:
        table.series = [_text(name) for name in frame.index.get_level_values(0)]
        table.index = written_times("index", frame.index.get_level_values(1))
    elif frame.index.nlevels > 2:
        raise ColumnTypeError(
            f"the index has {frame.index.nlevels} levels; expected one (time) or two (series, time)",
            file="data",
            column="index",
            found=f"{frame.index.nlevels} levels",
        )
    elif type(frame.index).__name__ in ("DatetimeIndex", "PeriodIndex") or (
        frame.index.dtype.kind in "iuf" and not _counts(frame.index)
    ):
        table.index = written_times("index", frame.index)
    # One block of floats is taken as it lies.
    if all(getattr(kind, "kind", "O") == "f" for kind in frame.dtypes):
        table.matrix = frame.to_numpy()
    return table


def _counts(index: Any) -> bool:
    """Whether an index only counts the rows."""
    return len(index) > 0 and bool((np.asarray(index) == np.arange(len(index))).all())


def _text(name: Any) -> str:
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _refuse_twins(names: list[str]) -> None:
    seen: dict[str, int] = {}
    for second, name in enumerate(names):
        if name in seen:
            raise DuplicateColumnError(
                f"columns {seen[name] + 1} and {second + 1} are both called `{name}`; give each "
                "column its own name",
                file="data",
                name=name,
                first=seen[name] + 1,
                second=second + 1,
            )
        seen[name] = second


def numbers_of(name: str, column: Any) -> NDArray[np.float64]:
    """A column as numbers; what is missing is NaN."""
    array = _array(column)
    if array.dtype.kind == "O":
        array = np.asarray([np.nan if _missing(x) else x for x in array])
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    found = {"M": "dates", "U": "text", "T": "text", "c": "complex numbers"}.get(
        array.dtype.kind, str(array.dtype)
    )
    raise ColumnTypeError(
        f"column `{name}` holds {found}, not numbers; leave it out, or name it with id= or time=",
        file="data",
        column=name,
        found=found,
    )


def series_of(name: str, column: Any) -> list[str]:
    """The names of series in a column."""
    cells = plain(column).tolist()
    for row, cell in enumerate(cells):
        if _missing(cell) or cell != cell:
            raise CellError(
                f"row {row + 1}, column `{name}`: nothing; expected the name of a series",
                file="data",
                place=row + 1,
                column=name,
                found="nothing",
                expected="the name of a series",
            )
    return [str(cell) for cell in cells]


def _missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _array(column: Any) -> NDArray[Any]:
    """A column of any library as NumPy has it."""
    library = type(column).__module__.partition(".")[0]
    if library == "pandas":
        kind = getattr(column.dtype, "kind", "O")
        if kind in "iufb":  # nullable kinds too
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(column.to_numpy())
    if library == "polars":
        return np.asarray(column.to_numpy())
    if library == "pyarrow":
        return np.asarray(column.to_numpy(zero_copy_only=False))
    return np.asarray(column)


def plain(column: Any) -> NDArray[Any]:
    """A column of any library as NumPy has it, whatever it holds."""
    return _array(column)
