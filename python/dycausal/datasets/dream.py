"""DREAM-3 and DREAM-4: expression of simulated gene networks."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dycausal.datasets.dataset import Dataset, array_of, first_of, folder_of, graph_of, series_of
from dycausal.errors import MalformedError


def load_dream3(folder: str | os.PathLike[str], size: int = 10, network: str = "Ecoli1") -> Dataset:
    """Loads a network of DREAM-3, challenge 4.

    Parameters
    ----------
    folder : path
        With `InSilicoSize10-Ecoli1-trajectories.tsv` and
        `DREAM3GoldStandard_InSilicoSize10_Ecoli1.txt` as distributed, or with
        `size10_Ecoli1_series.npy` and `size10_Ecoli1_truth.npy`.
    size : {10, 50, 100}
        How many genes.
    network : {"Ecoli1", "Ecoli2", "Yeast1", "Yeast2", "Yeast3"}
        Which network.
    """
    return _load(
        folder,
        f"size{size}_{network}",
        f"InSilicoSize{size}-{network}-trajectories.tsv",
        f"DREAM3GoldStandard_InSilicoSize{size}_{network}.txt",
        f"DREAM-3 size {size} {network}",
    )


def load_dream4(folder: str | os.PathLike[str], size: int = 10, network: int = 1) -> Dataset:
    """Loads a network of DREAM-4, challenge 2.

    Parameters
    ----------
    folder : path
        With `insilico_size10_1_timeseries.tsv` and
        `DREAM4_GoldStandard_InSilico_Size10_1.tsv` as distributed, or with `size10_1_series.npy`
        and `size10_1_truth.npy`.
    size : {10, 100}
        How many genes.
    network : int
        Which network, from 1 to 5.
    """
    return _load(
        folder,
        f"size{size}_{network}",
        f"insilico_size{size}_{network}_timeseries.tsv",
        f"DREAM4_GoldStandard_InSilico_Size{size}_{network}.tsv",
        f"DREAM-4 size {size} number {network}",
    )


def _load(folder: str | os.PathLike[str], stem: str, table: str, gold: str, name: str) -> Dataset:
    place = folder_of(folder)

    def arrays() -> Dataset:
        series = series_of(array_of(place, f"{stem}_series.npy"), f"{stem}_series.npy")
        truth = graph_of(array_of(place, f"{stem}_truth.npy"), series.shape[2], f"{stem}_truth.npy")
        return Dataset(series, truth, [f"G{v + 1}" for v in range(series.shape[2])], name)

    def tables() -> Dataset:
        names, times, series = _trajectories(place / table)
        return Dataset(series, _gold(place / gold, names), names, name, times)

    return first_of(place, [(f"{stem}_series.npy", arrays), (table, tables)])


def _trajectories(path: Path) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Trajectories one below the other; a new one begins where time goes back."""
    lines = path.read_text(encoding="utf-8").splitlines()
    names = [cell.strip('" ') for cell in lines[0].split("\t")][1:]
    try:
        rows = np.asarray([line.split("\t") for line in lines[1:] if line.strip()], dtype=float)
        starts = np.flatnonzero(np.diff(rows[:, 0], prepend=np.inf) < 0)
        series = np.stack(np.split(rows, starts[1:]))
    except (ValueError, IndexError) as reason:
        raise MalformedError(
            f"{path} is not a sound table of trajectories: {reason}; expected a header and rows of "
            "numbers, Time first, all trajectories of one length",
            file=str(path),
            format="tsv",
            found=str(reason),
            expected="trajectories of one length",
        ) from reason
    return names, series[0, :, 0], series[:, :, 1:]


def _gold(path: Path, names: list[str]) -> NDArray[np.bool_]:
    """Lines of regulator, target, 0 or 1."""
    truth = np.zeros((len(names), len(names)), dtype=bool)
    number = {name: k for k, name in enumerate(names)}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split()
        if len(cells) == 3 and cells[2] == "1":
            truth[number[cells[0]], number[cells[1]]] = True
    return truth
