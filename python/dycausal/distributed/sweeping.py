"""Many parameters, one fit each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dycausal.distributed.backends import backend_of
from dycausal.distributed.resampling import fitted, one_thread
from dycausal.errors import DycausalError
from dycausal.estimator import Estimator
from dycausal.frames import Frame, as_frame
from dycausal.graph import DynamicGraph
from dycausal.panel import Panel, as_panel

#: Parameters with the values to try, or a list of such grids.
Grid = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]]


@dataclass(frozen=True)
class Trial:
    """One fit: its parameters, its graph or why there is none, and its score where there is one."""

    parameters: dict[str, Any]
    graph: DynamicGraph | None
    score: float | None = None
    error: str | None = None


@dataclass(frozen=True)
class Sweep:
    """All fits of a sweep, in the order of the grid."""

    trials: tuple[Trial, ...]

    @property
    def best(self) -> Trial:
        """The first trial with the highest score."""
        scored = [trial for trial in self.trials if trial.score is not None]
        if not scored:
            raise ValueError("no trial has a score; give scoring=")
        return max(scored, key=lambda trial: trial.score or 0.0)

    def table(self, *, frame: Frame = "auto") -> Any:
        """One row per trial: parameters, number of edges, score."""
        names = list(dict.fromkeys(name for trial in self.trials for name in trial.parameters))
        table: dict[str, Any] = {
            name: np.asarray([trial.parameters.get(name) for trial in self.trials], dtype=object)
            for name in names
        }
        edges = [np.nan if trial.graph is None else len(trial.graph) for trial in self.trials]
        table["edges"] = np.asarray(edges, dtype=float)
        scores = [np.nan if trial.score is None else trial.score for trial in self.trials]
        table["score"] = np.asarray(scores, dtype=float)
        return as_frame(table, frame)


def sweep(
    estimator: Estimator,
    X: Any,
    grid: Grid,
    *,
    scoring: Callable[[DynamicGraph], float | None] | None = None,
    backend: Any = "serial",
    id: str | None = None,
    time: str | None = None,
) -> Sweep:
    """Fits every combination of parameters.

    Parameters
    ----------
    estimator : Estimator
        Not changed; parameters that the grid does not name are its own.
    X, id, time
        As in `fit`.
    grid : dict of lists, or a list of them
        The values to try.
    scoring : callable, optional
        Gives the score of a graph; called here, not on the workers.
    backend
        As in :func:`bootstrap`.

    Returns
    -------
    Sweep
    """
    panel = as_panel(X, id=id, time=time)
    trials = [trial for part in _parts(grid) for trial in _combinations(part)]
    plain = one_thread(estimator)
    for parameters in trials:
        one_thread(estimator).set_params(**parameters).check()
    results = backend_of(backend).run(_fit_trial, (plain, panel), trials)
    return Sweep(tuple(_trial(p, result, scoring) for p, result in zip(trials, results)))


def _parts(grid: Grid) -> Sequence[Mapping[str, Sequence[Any]]]:
    return [grid] if isinstance(grid, Mapping) else grid


def _combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    names = list(grid)
    return [dict(zip(names, values)) for values in itertools.product(*grid.values())]


def _fit_trial(shared: tuple[Estimator, Panel], parameters: dict[str, Any]) -> DynamicGraph | DycausalError:
    estimator, panel = shared
    return fitted(one_thread(estimator).set_params(**parameters), panel)


def _trial(
    parameters: dict[str, Any],
    result: DynamicGraph | DycausalError,
    scoring: Callable[[DynamicGraph], float | None] | None,
) -> Trial:
    if isinstance(result, DycausalError):
        return Trial(parameters, None, error=str(result))
    return Trial(parameters, result, None if scoring is None else scoring(result))
