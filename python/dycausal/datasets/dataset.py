"""What a loader gives, and what loaders have in common."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dycausal.errors import ArrayError, DirectoryError, NoSuchFileError
from dycausal.panel import Panel
from dycausal.times import times_of

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Dataset:
    """Series and the graph that is known of them.

    Attributes
    ----------
    X : array [series, time, variable]
        NaN is missing.
    truth : array of bool [from, to] or [series, from, to]
        Whether `from` is a cause of `to`; one per series where they differ. No self loops.
    names : list of str
        The variables' names.
    name : str
        What the data are called.
    times : array, optional
        The time of each step.
    weights : array, optional
        The true weights, where they are known.
    """

    X: NDArray[np.float64]
    truth: NDArray[np.bool_]
    names: list[str]
    name: str
    times: NDArray[Any] | None = field(default=None, repr=False)
    weights: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def panel(self) -> Panel:
        """What `fit` takes, with names and times."""
        times = None if self.times is None else times_of("time", self.times)
        return Panel(self.X, self.names, None, times)


def array_of(folder: Path, name: str) -> NDArray[Any]:
    """An NPY file of a folder."""
    path = folder / name
    if not path.is_file():
        raise missing(folder, [name])
    try:
        found: NDArray[Any] = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as reason:
        raise ArrayError(f"{path}: {reason}", file=str(path), found="no array", expected="NPY") from reason
    return found


def missing(folder: Path, names: list[str]) -> NoSuchFileError:
    """What to say where a folder does not have the files."""
    there = sorted(p.name for p in folder.iterdir())[:20] if folder.is_dir() else []
    holds = f"; it has: {', '.join(there)}" if there else ""
    return NoSuchFileError(
        f"{folder} has none of {', '.join(names)}{holds}",
        file=str(folder),
        nearest=None,
    )


def folder_of(path: str | os.PathLike[str]) -> Path:
    """The folder, if it is one."""
    folder = Path(path)
    if not folder.exists():
        raise NoSuchFileError(f"{folder}: there is no such folder", file=str(folder), nearest=None)
    if not folder.is_dir():
        raise DirectoryError(f"{folder} is a file; give the folder it is in", file=str(folder))
    return folder


def graph_of(links: NDArray[Any], variables: int, file: str) -> NDArray[np.bool_]:
    """Links [..., from, to] without self loops."""
    links = np.asarray(links)
    if links.shape[-2:] != (variables, variables):
        raise ArrayError(
            f"{file}: found an array of shape {links.shape}; expected [..., {variables}, {variables}], "
            "as many as the series have variables",
            file=file,
            found=f"shape {links.shape}",
            expected=f"[..., {variables}, {variables}]",
        )
    truth = np.asarray(links != 0)
    truth[..., range(variables), range(variables)] = False
    return truth


def series_of(values: NDArray[Any], file: str) -> NDArray[np.float64]:
    """Values [series, time, variable]."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3:
        raise ArrayError(
            f"{file}: found an array of shape {array.shape}; expected [time, variable] or [series, "
            "time, variable]",
            file=file,
            found=f"shape {array.shape}",
            expected="[time, variable] or [series, time, variable]",
        )
    return array


def first_of(folder: Path, ways: list[tuple[str, Callable[[], Answer]]]) -> Answer:
    """Loads in the first way whose file is there."""
    for name, way in ways:
        if (folder / name).exists():
            return way()
    raise missing(folder, [name for name, _ in ways])
