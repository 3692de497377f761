"""Files in: series, and the folders of runs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from dycausal import _dycausal
from dycausal.graph import DynamicGraph
from dycausal.panel import Panel
from dycausal.times import Times


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    time: str | None = None,
    id: str | None = None,
    array: str | None = None,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> Panel:
    """Reads a file of series as the command line does.

    Parameters
    ----------
    path : path
        A CSV, TSV, Parquet, Arrow/Feather, NPY, NPZ or MATLAB file.
    format : str, optional
        The format, where the extension does not tell.
    time, id : str, optional
        The columns of times and of the names of series.
    array : str, optional
        Which array of an NPZ or MATLAB file.
    columns, drop : sequence of str
        Variables to keep, in this order; columns to leave out.

    Returns
    -------
    Panel
        What `fit` takes.
    """
    data = _dycausal.read(os.fspath(path), format, time, id, array, list(columns), list(drop))
    times = None if data.times is None else Times(data.times, data.labels)
    return Panel(data.values, data.names, data.series, times, data.notes)


def load(folder: str | os.PathLike[str]) -> DynamicGraph:
    """Reads the folder of a run, of Python or of the command line."""
    return DynamicGraph.load(folder)
