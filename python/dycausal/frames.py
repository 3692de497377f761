"""Tables of edges, in the frames of any library."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

#: What a table of edges comes as.
Frame = Literal["auto", "pandas", "polars", "dict"]

#: Columns that are left out where no edge has anything to say in them.
_OPTIONAL = ("low", "high", "p", "q", "p_unchanging", "q_unchanging", "support", "undirected")

#: Columns that every row has something to say in, in the order in which they are shown.
_ALWAYS = ("weight", "strongest", "mean", "first", "last", "steps")


def edge_table(
    columns: dict[str, NDArray[Any]], names: list[str], times: NDArray[Any]
) -> dict[str, NDArray[Any]]:
    """The columns of the extension with names and times in place of numbers."""
    called = np.asarray(names, dtype=object)
    table: dict[str, NDArray[Any]] = {
        "source": called[columns["source"]],
        "target": called[columns["target"]],
        "lag": columns["lag"],
    }
    if "step" in columns:
        table["time"] = times[columns["step"]]
    table |= {name: columns[name] for name in _ALWAYS if name in columns}
    table |= {name: columns[name] for name in _OPTIONAL if name in columns and _tells(columns[name])}
    return table


def _tells(column: NDArray[Any]) -> bool:
    """Whether a flag is set or a number is there in any row."""
    return bool(column.any() if column.dtype == bool else not np.isnan(column).all())


def as_frame(table: dict[str, NDArray[Any]], frame: Frame) -> Any:
    """The table as the kind of frame that is asked for."""
    if frame in ("auto", "pandas"):
        try:
            import pandas
        except ImportError:
            if frame == "pandas":
                raise
            return table
        return pandas.DataFrame(table)
    if frame == "polars":
        import polars

        return polars.DataFrame({name: c.tolist() if c.dtype == object else c for name, c in table.items()})
    if frame == "dict":
        return table
    raise ValueError(f'frame is {frame!r}; expected "auto", "pandas", "polars" or "dict"')
