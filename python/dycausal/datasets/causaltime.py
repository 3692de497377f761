"""CausalTime (Cheng et al., ICLR 2024): generated from air quality, traffic and medical records."""

from __future__ import annotations

import os

from dycausal.datasets.dataset import Dataset, array_of, folder_of, graph_of, series_of
from dycausal.errors import ArrayError


def load_causaltime(folder: str | os.PathLike[str], *, transpose: bool = False) -> Dataset:
    """Loads one set of CausalTime: the folder with `gen_data.npy` and `graph.npy`.

    Parameters
    ----------
    folder : path
        For instance `pm25`, `traffic` or `medical`, as downloaded.
    transpose : bool
        Whether the file of the graph has effects in its rows. It is read as [from, to]: cause first.

    Returns
    -------
    Dataset
        Where the graph covers the first variables only, the others (residual terms of the
        generator) are left out.
    """
    place = folder_of(folder)
    X = series_of(array_of(place, "gen_data.npy"), str(place / "gen_data.npy"))
    links = array_of(place, "graph.npy")
    file = str(place / "graph.npy")
    if links.ndim != 2 or links.shape[0] != links.shape[1] or links.shape[0] > X.shape[2]:
        raise ArrayError(
            f"{file}: found an array of shape {links.shape}; expected a square array of at most "
            f"{X.shape[2]} rows, the variables of gen_data.npy",
            file=file,
            found=f"shape {links.shape}",
            expected=f"at most [{X.shape[2]}, {X.shape[2]}]",
        )
    variables = links.shape[0]
    truth = graph_of(links.T if transpose else links, variables, file)
    names = [f"x{v + 1}" for v in range(variables)]
    return Dataset(X[:, :, :variables], truth, names, f"CausalTime {place.name}")
