"""How far an estimated graph is from the true one.

A ratio of 0 to 0 is not defined: None. The numbers agree with scikit-learn's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dycausal import _dycausal, threads
from dycausal.estimator import Estimator
from dycausal.graph import DynamicGraph


@dataclass(frozen=True)
class Average:
    """Means over the steps at which a score is defined."""

    tpr: float | None
    fpr: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    shd: float | None
    auroc: float | None
    auprc: float | None
    weight_rmse: float | None
    edge_weight_rmse: float | None


@dataclass(frozen=True)
class Score:
    """Scores of one graph: one step, or all of time."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    reversed: int
    tpr: float | None
    fpr: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    shd: int
    auroc: float | None
    auprc: float | None
    weight_rmse: float | None
    edge_weight_rmse: float | None


@dataclass(frozen=True)
class PartScores:
    """Scores of one kind of edge.

    `average` over steps; `window`: edges at any step; `summary`: at any step and lag; `steps`: each.
    """

    average: Average
    window: Score
    summary: Score
    steps: tuple[Score, ...]


@dataclass(frozen=True)
class Scores:
    """Scores of all, instantaneous and lagged edges."""

    threshold: float
    diagonal: bool
    all: PartScores
    instantaneous: PartScores
    lagged: PartScores


def score(
    truth: DynamicGraph | ArrayLike,
    estimate: DynamicGraph | Estimator | ArrayLike,
    *,
    threshold: float = 0.3,
    diagonal: bool = True,
    n_jobs: int | None = None,
) -> Scores:
    """Scores an estimate.

    Parameters
    ----------
    truth, estimate : DynamicGraph, fitted estimator, or array
        Arrays are [time, lag, from, to], [lag, from, to] or [from, to]; what never changes is the
        same at every step of the other.
    threshold : float
        Absolute weight above which there is an edge, in both.
    diagonal : bool
        Whether a variable's lagged effect on itself counts.

    Returns
    -------
    Scores
    """
    steps = next((g.steps for g in map(_known, (truth, estimate)) if g is not None), None)
    names = next((g.names for g in map(_known, (truth, estimate)) if g is not None), None)
    text = _dycausal.score(
        _as_graph(truth, steps, names)._inner,
        _as_graph(estimate, steps, names)._inner,
        float(threshold),
        diagonal,
        threads.count(n_jobs),
    )
    found = json.loads(text)
    return Scores(
        **found["options"],
        all=_part(found["all"]),
        instantaneous=_part(found["instantaneous"]),
        lagged=_part(found["lagged"]),
    )


def _known(graph: Any) -> DynamicGraph | None:
    if isinstance(graph, Estimator):
        return graph._fitted()
    return graph if isinstance(graph, DynamicGraph) else None


def _as_graph(graph: Any, steps: int | None, names: list[str] | None) -> DynamicGraph:
    known = _known(graph)
    if known is not None:
        return known
    array = np.asarray(graph, dtype=np.float64)
    if array.ndim < 4 and steps is not None:
        array = np.broadcast_to(array, (steps, *(1,) * (3 - array.ndim), *array.shape))
    same = names if names is not None and len(names) == array.shape[-1] else None
    return DynamicGraph.from_weights(array, same)


def _part(found: dict[str, Any]) -> PartScores:
    return PartScores(
        Average(**found["average"]),
        Score(**found["window"]),
        Score(**found["summary"]),
        tuple(Score(**step) for step in found["steps"]),
    )
