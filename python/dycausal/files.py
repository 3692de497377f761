"""Files in: series, and the folders of runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from dycausal import _dycausal
from dycausal.graph import DynamicGraph
from dycausal.panel import Panel
from dycausal.times import Times


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    format: str | None = None,
    time: str | None = None,
    id: str | None = None,
    variable: str | None = None,
    value: str | None = None,
    every: str | None = None,
    dates: str | None = None,
    zone: str | None = None,
    decimal: str | None = None,
    sheet: str | int | None = None,
    array: str | None = None,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> Panel:
    """Reads files of series as the command line does.

    Parameters
    ----------
    path : path or sequence of paths
        A CSV, TSV, Parquet, Arrow/Feather, NPY, NPZ, MATLAB, XLSX or ODS file, also packed with gzip
        or Zstandard. Several files, or a pattern such as ``"subject-*.csv"``, are the series of one
        panel.
    format : str, optional
        The format, where the extension does not tell.
    time, id : str, optional
        The columns of times and of the names of series.
    variable, value : str, optional
        The columns of names and values, in a table with one row per value.
    every : str, optional
        Even steps to bring irregular times to: "15min", "1h", "1d", "1month", …, with the mean of
        each step, or with ":last" or ":sum".
    dates : str, optional
        "day-first" or "month-first", for dates such as 03/04/2021.
    zone : str, optional
        The time zone of dates that name none, such as "Europe/Berlin".
    decimal : str, optional
        "point" or "comma", where the mark of fractions is not to be found out.
    sheet : str or int, optional
        Which sheet of a spreadsheet, by name or by number from 1.
    array : str, optional
        Which array of an NPZ or MATLAB file.
    columns, drop : sequence of str
        Variables to keep, in this order; columns to leave out.

    Returns
    -------
    Panel
        What `fit` takes.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    options = {
        "format": format,
        "time": time,
        "id": id,
        "variable": variable,
        "value": value,
        "every": every,
        "dates": dates,
        "zone": zone,
        "decimal": decimal,
        "sheet": None if sheet is None else str(sheet),
        "array": array,
        "columns": list(columns),
        "drop": list(drop),
    }
    data = _dycausal.read([os.fspath(one) for one in paths], json.dumps(options))
    times = None if data.times is None else Times(data.times, data.labels)
    return Panel(data.values, data.names, data.series, times, data.notes)


def load(folder: str | os.PathLike[str]) -> DynamicGraph:
    """Reads the folder of a run, of Python or of the command line."""
    return DynamicGraph.load(folder)
