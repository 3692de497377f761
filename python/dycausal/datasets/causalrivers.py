"""CausalRivers (Stein et al., ICLR 2025): discharge of German rivers, upstream causes downstream."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dycausal.datasets.dataset import Dataset, array_of, first_of, folder_of, graph_of, series_of
from dycausal.errors import NoSuchColumnError
from dycausal.files import read


def load_causalrivers(folder: str | os.PathLike[str], name: str = "flood") -> Dataset:
    """Loads CausalRivers.

    Parameters
    ----------
    folder : path
        With `rivers_ts_NAME.csv` as distributed and the graph as a table `rivers_NAME_edges.csv`
        with the columns source and target (the distributed graph is a pickle, which is not read:
        it can run code; `networkx.write_edgelist` and a header make the table). Or with
        `series.npy` [time, gauge], `truth.npy` [from, to], and where they are there `nodes.csv`
        and `time.csv`.
    name : str
        Which part: flood, bavaria or east_germany.
    """
    place = folder_of(folder)
    table = f"rivers_ts_{name}.csv"
    ways = [
        ("series.npy", lambda: _from_arrays(place, name)),
        (table, lambda: _from_tables(place, name)),
    ]
    return first_of(place, ways)


def _from_arrays(place: Path, name: str) -> Dataset:
    X = series_of(array_of(place, "series.npy"), "series.npy")
    truth = graph_of(array_of(place, "truth.npy"), X.shape[2], "truth.npy")
    names = [f"x{v + 1}" for v in range(X.shape[2])]
    if (place / "nodes.csv").is_file():
        names = _column(place / "nodes.csv", ("gauge_id", "gauge", "id", "node"))
    times: NDArray[np.datetime64] | None = None
    if (place / "time.csv").is_file():
        texts = _column(place / "time.csv", ("time", "datetime", "date"))
        times = np.asarray([text.replace(" ", "T") for text in texts], dtype="datetime64[s]")
    return Dataset(X, truth, names, f"CausalRivers {name}", times)


def _from_tables(place: Path, name: str) -> Dataset:
    panel = read(place / f"rivers_ts_{name}.csv")
    number = {gauge: k for k, gauge in enumerate(panel.names)}
    truth = np.zeros((len(number), len(number)), dtype=bool)
    edges = place / f"rivers_{name}_edges.csv"
    for source, target in zip(_column(edges, ("source",)), _column(edges, ("target",))):
        truth[number[source], number[target]] = True
    times = None
    if panel.times is not None:
        times = np.round(panel.times.numbers).astype("datetime64[s]")
    return Dataset(panel.values, truth, panel.names, f"CausalRivers {name}", times)


def _column(path: Path, known: tuple[str, ...]) -> list[str]:
    """The column of a small CSV file that has one of these names; else the first."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    header = rows[0]
    place = next((header.index(name) for name in known if name in header), None)
    if place is None:
        if len(header) > 1:
            raise NoSuchColumnError(
                f"{path} has none of the columns {', '.join(known)}; it has: {', '.join(header)}",
                file=str(path),
                name=known[0],
                nearest=None,
                known=header,
            )
        place = 0
    return [row[place] for row in rows[1:] if row]
