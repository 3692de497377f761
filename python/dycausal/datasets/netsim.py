"""NetSim (Smith et al., NeuroImage 2011): simulated BOLD signals of 28 networks."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from dycausal.datasets.dataset import Dataset, array_of, first_of, folder_of, graph_of, series_of
from dycausal.errors import ArrayError
from dycausal.files import read


def load_netsim(folder: str | os.PathLike[str], sim: int = 3) -> Dataset:
    """Loads one simulation of NetSim.

    Parameters
    ----------
    folder : path
        The folder with `simK.mat` as distributed, or with `simK_series.npy` [subject, time, node]
        and `simK_net.npy` [subject, from, to].
    sim : int
        Which simulation, from 1.

    Returns
    -------
    Dataset
        `truth` [subject, from, to], or [from, to] where all subjects have the same.
    """
    place = folder_of(folder)
    ways = [
        (f"sim{sim}_series.npy", lambda: _from_arrays(place, sim)),
        (f"sim{sim}.mat", lambda: _from_matlab(place / f"sim{sim}.mat", sim)),
    ]
    return first_of(place, ways)


def _from_arrays(place: Path, sim: int) -> Dataset:
    series = series_of(array_of(place, f"sim{sim}_series.npy"), f"sim{sim}_series.npy")
    return _dataset(series, array_of(place, f"sim{sim}_net.npy"), sim, f"sim{sim}_net.npy")


def _from_matlab(path: Path, sim: int) -> Dataset:
    rows = read(path, array="ts").values[0]
    weights = read(path, array="net").values
    if rows.shape[0] % weights.shape[0]:
        raise ArrayError(
            f"{path}: `ts` has {rows.shape[0]} rows, which is no multiple of the {weights.shape[0]} "
            "subjects of `net`",
            file=str(path),
            found=f"{rows.shape[0]} rows",
            expected=f"a multiple of {weights.shape[0]}",
        )
    series = rows.reshape(weights.shape[0], -1, rows.shape[1])
    return _dataset(series, weights, sim, str(path))


def _dataset(
    series: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    sim: int,
    file: str,
) -> Dataset:
    truth = graph_of(weights, series.shape[2], file)
    if truth.ndim == 3 and (truth == truth[0]).all():
        truth = truth[0]
    weights = np.where(truth, weights, 0.0)
    names = [f"node{v + 1}" for v in range(series.shape[2])]
    return Dataset(series, truth, names, f"NetSim {sim}", weights=weights)
