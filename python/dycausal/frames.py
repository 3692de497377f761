"""Tables of edges, in the frames of any library."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal

#: What a table of edges comes as.
Frame = Literal["auto", "pandas", "polars", "dict"]

#: Columns that have another name than they had.
_RENAMED = {"undirected": "mark"}


class EdgeTable(dict[str, NDArray[Any]]):
    """Columns by name; asked for one that is not there, it says why."""

    def __missing__(self, name: str) -> NDArray[Any]:
        if name in _RENAMED:
            new = _RENAMED[name]
            raise KeyError(
                f"the column `{name}` is called `{new}` now: {_described()[new]['about']}; it is left "
                "out where every edge is directed"
            )
        if name in _described():
            raise KeyError(f"there is no column `{name}` in this table: it is not known of any edge")
        raise KeyError(f"there is no column `{name}`; there are: {', '.join(self)}")


@cache
def _described() -> dict[str, dict[str, str]]:
    """What the extension says of each column: its kind and what it means."""
    return {column["name"]: column for column in json.loads(_dycausal.columns())}


def edge_table(columns: dict[str, NDArray[Any]], names: list[str], times: NDArray[Any]) -> EdgeTable:
    """The columns of the extension with names and times in place of numbers."""
    words = {"variable": np.asarray(names, dtype=object), "time": times}
    table = EdgeTable()
    for name, column in columns.items():
        kind = _described()[name]["kind"]
        table[name] = _told(words[kind], column) if kind in words else column
    return table


def _told(words: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """What stands for each number; NaN (NaT for dates) where it is below 0: not known."""
    known = numbers >= 0
    if known.all():
        whole: NDArray[Any] = words[numbers]
        return whole
    told = words[np.where(known, numbers, 0)]
    if np.issubdtype(told.dtype, np.integer):
        told = told.astype(float)
    told[~known] = np.datetime64("NaT") if np.issubdtype(told.dtype, np.datetime64) else np.nan
    return told


def as_frame(table: dict[str, NDArray[Any]], frame: Frame) -> Any:
    """The table as the kind of frame that is asked for."""
    if frame in ("auto", "pandas"):
        try:
            import pandas
        except ImportError:
            if frame == "pandas":
                raise
            return table
        return pandas.DataFrame(dict(table))
    if frame == "polars":
        import polars

        return polars.DataFrame({name: c.tolist() if c.dtype == object else c for name, c in table.items()})
    if frame == "dict":
        return table
    raise ValueError(f'frame is {frame!r}; expected "auto", "pandas", "polars" or "dict"')
