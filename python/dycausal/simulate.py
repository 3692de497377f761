"""Data whose causes are known.

>>> from dycausal import simulate
>>> made = simulate.linear(variables=5, series=20, steps=30, random_state=1)
>>> made.X.shape
(20, 30, 5)
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal, threads
from dycausal.graph import DynamicGraph


@dataclass(frozen=True)
class Simulated:
    """Data and what made them.

    Attributes
    ----------
    X : array [series, time, variable]
    truth : DynamicGraph
        The graph they come from.
    spec : dict
        All that is needed to make them again.
    """

    X: NDArray[np.float64]
    truth: DynamicGraph
    spec: dict[str, Any]


def linear(*, random_state: int = 0, n_jobs: int | None = None, **parameters: Any) -> Simulated:
    """Simulates a linear system whose weights move.

    Parameters
    ----------
    random_state : int
        The seed.
    n_jobs : int, optional
        Threads; the data do not depend on it.
    **parameters
        variables (20), series (200), steps (50), lag (1), density (2.0), dynamics ("full",
        "instantaneous", "static", "appearing", "nonsmooth:PERIOD,INTENSITY",
        "regimes:STEP,STEP,…" or "reordering:FLIPS"), weights ((0.5, 1.0)), decay (1.5), noise
        ("gaussian", "laplace", "uniform", "student-t:DEGREES"), noise_scale ("1", "0.5,1.5" or
        "moving:LOW,HIGH,DEPTH"), standardise (False), burn_in, cut (1).
    """
    return draw("linear", random_state=random_state, n_jobs=n_jobs, **parameters)


def mlp(*, random_state: int = 0, n_jobs: int | None = None, **parameters: Any) -> Simulated:
    """Simulates small random networks; parameters as :func:`linear`."""
    return draw("mlp", random_state=random_state, n_jobs=n_jobs, **parameters)


def lorenz(*, random_state: int = 0, n_jobs: int | None = None, **parameters: Any) -> Simulated:
    """Simulates the Lorenz-96 system; parameters as :func:`linear`."""
    return draw("lorenz", random_state=random_state, n_jobs=n_jobs, **parameters)


def kuramoto(*, random_state: int = 0, n_jobs: int | None = None, **parameters: Any) -> Simulated:
    """Simulates a ring of Kuramoto's oscillators; parameters as :func:`linear`."""
    return draw("kuramoto", random_state=random_state, n_jobs=n_jobs, **parameters)


def hill(*, random_state: int = 0, n_jobs: int | None = None, **parameters: Any) -> Simulated:
    """Simulates a gene circuit with Hill functions; parameters as :func:`linear`."""
    return draw("hill", random_state=random_state, n_jobs=n_jobs, **parameters)


def draw(
    model: Any = "linear", *, random_state: int = 0, n_jobs: int | None = None, **parameters: Any
) -> Simulated:
    """Simulates a model by name, or by name with its own parameters as a dict.

    The same seed gives the same bits on any number of threads; the same numbers as
    `dycausal simulate --seed`.
    """
    asked = json.dumps({"model": model, **parameters})
    values, truth, spec = _dycausal.simulate(asked, random_state, threads.count(n_jobs))
    return Simulated(values, DynamicGraph(truth), json.loads(spec))
