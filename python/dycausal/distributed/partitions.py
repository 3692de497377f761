"""Moments of data that do not fit in memory: a part at a time, on any backend."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dycausal import _dycausal
from dycausal.distributed.backends import backend_of
from dycausal.errors import DuplicateNameError, NoSuchFileError, ShapeError
from dycausal.files import read
from dycausal.moments import Moments
from dycausal.panel import Panel
from dycausal.times import Times

#: What a folder of parts is searched for.
_ENDINGS = (".parquet", ".pq", ".arrow", ".feather", ".csv", ".tsv", ".npy")


@dataclass(frozen=True)
class _Shape:
    """What has to be known of all parts before any can be summed up."""

    names: list[str]
    series: list[str] | None
    steps: int
    times: Times | None


def moments(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    lag: int = 1,
    *,
    backend: Any = "serial",
    **options: Any,
) -> Moments:
    """The moments of a data set in several files, each a part that fits in memory.

    Each file holds some of the series, whole. Files are read twice: for names and times, then for
    the sums, which are added in the order of the files: the result has the same bits on every
    backend.

    Parameters
    ----------
    source : path or sequence of paths
        A folder of Parquet (or Arrow, CSV, NPY) files, taken in the order of their names; or files.
    lag : int
        The longest lag.
    backend
        As in :func:`bootstrap`.
    **options
        How to read each file: id, time, columns, drop, format (see :func:`dycausal.read`).

    Returns
    -------
    Moments
    """
    files, runner = _files(source), backend_of(backend)
    shapes = list(runner.run(_look, options, files))
    grid = _common(files, shapes)
    total: Moments | None = None
    for part in runner.run(_sum, (options, lag, grid), files):
        total = part if total is None else total + part
    assert total is not None
    return total


def _files(source: Any) -> list[str]:
    paths = [Path(source)] if isinstance(source, (str, os.PathLike)) else [Path(p) for p in source]
    files: list[str] = []
    for path in paths:
        inside = sorted(p for p in path.rglob("*") if p.suffix in _ENDINGS) if path.is_dir() else [path]
        files += map(str, inside)
    if not files:
        raise NoSuchFileError(
            f"{source}: there is no data file; expected {', '.join(_ENDINGS)}",
            file=str(source),
            nearest=None,
        )
    return files


def _look(options: dict[str, Any], file: str) -> _Shape:
    panel = read(file, **options)
    series = panel.series if options.get("id") else None
    return _Shape(panel.names, series, panel.shape[1], panel.times)


def _common(files: list[str], shapes: list[_Shape]) -> _Shape:
    """The steps of all parts together."""
    first = shapes[0]
    seen: dict[str, str] = {}
    for file, shape in zip(files, shapes):
        if shape.names != first.names or (shape.times is None) != (first.times is None):
            raise ShapeError(
                f"{file}: found the columns {', '.join(shape.names)}; expected those of {files[0]}: "
                f"{', '.join(first.names)}",
                what=f"columns of {file}",
                found=", ".join(shape.names),
                expected=", ".join(first.names),
            )
        for name in shape.series or []:
            if name in seen:
                raise DuplicateNameError(
                    f"series `{name}` is in {seen[name]} and in {file}; each series has to be whole in "
                    "one file",
                    what="series",
                    name=name,
                    first=files.index(seen[name]),
                    second=files.index(file),
                )
            seen[name] = file
    steps = max(shape.steps for shape in shapes)
    if first.times is None:
        return _Shape(first.names, None, steps, None)
    numbers = np.concatenate([shape.times.numbers for shape in shapes if shape.times is not None])
    _, where = np.unique(numbers, return_index=True)
    labels = None
    if first.times.labels is not None:
        every = [text for shape in shapes if shape.times for text in shape.times.labels or []]
        labels = [every[k] for k in where]
    complete, labels = _dycausal.complete(numbers[where], labels)
    assert complete is not None
    return _Shape(first.names, None, len(complete), Times(complete, labels))


def _sum(shared: tuple[dict[str, Any], int, _Shape], file: str) -> Moments:
    options, lag, grid = shared
    panel = _on_grid(read(file, **options), grid)
    return Moments(_dycausal.Moments.of(panel.data(), lag, 1), grid.names, grid.times)


def _on_grid(panel: Panel, grid: _Shape) -> Panel:
    """The same series with a cell for each step there is anywhere."""
    if panel.shape[1] == grid.steps:
        return panel
    steps: Any = slice(panel.shape[1])
    if grid.times is not None and panel.times is not None:
        steps = np.searchsorted(grid.times.numbers, panel.times.numbers)
    values = np.full((panel.shape[0], grid.steps, panel.shape[2]), np.nan)
    values[:, steps] = panel.values
    return Panel(values, panel.names, panel.series, grid.times)
