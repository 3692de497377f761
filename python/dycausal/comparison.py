"""Several methods on the same data: what each finds, how long it takes, and where they agree."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dycausal import _dycausal, threads
from dycausal.errors import ParameterError
from dycausal.estimator import Estimator, _json, _seed
from dycausal.frames import Frame, as_frame
from dycausal.graph import DynamicGraph
from dycausal.panel import as_panel
from dycausal.progress import Progress, bar_for


@dataclass(frozen=True)
class Comparison:
    """What methods found.

    `rows` has a dict per method: edges, agreement with the default, scores where a truth is known,
    seconds, what it sees, and why it failed where it did. `graphs` has the graph of each method that
    did not fail; `union` every edge that any of them found, with their names (`found_by`).
    """

    rows: list[dict[str, Any]]
    graphs: dict[str, DynamicGraph]
    union: DynamicGraph
    svg: str

    def table(self, *, frame: Frame = "auto") -> Any:
        """The rows as a frame."""
        names = list(self.rows[0]) if self.rows else []
        columns = {name: np.asarray([row[name] for row in self.rows], dtype=object) for name in names}
        return as_frame(columns, frame)

    @property
    def failures(self) -> dict[str, str]:
        """Why methods that failed did."""
        return {row["method"]: row["failure"] for row in self.rows if row["failure"] is not None}

    def __repr__(self) -> str:
        def share(value: float | None) -> str:
            return "-" if value is None else f"{value:.3f}"

        width = max((len(row["method"]) for row in self.rows), default=6)
        lines = [f"{'method':{width}}  edges  agreement     F1  seconds"]
        for row in self.rows:
            edges = "-" if row["edges"] is None else row["edges"]
            line = f"{row['method']:{width}}  {edges:>5}  {share(row['agreement']):>9}  {share(row['f1']):>5}"
            line += f"  {row['seconds']:7.2f}"
            lines.append(line if row["failure"] is None else f"{line}  failed: {row['failure']}")
        return "\n".join(lines)


def compare(
    X: Any,
    methods: Iterable[str | Estimator] | Mapping[str, Mapping[str, Any]],
    *,
    truth: DynamicGraph | None = None,
    threshold: float = 0.0,
    lag: int | None = None,
    seconds: float = 600.0,
    random_state: Any = 0,
    n_jobs: int | None = None,
    progress: Progress = "auto",
    id: str | None = None,
    time: str | None = None,
    every: str | None = None,
) -> Comparison:
    """Runs several methods on the same data.

    The default method always runs first, and the others are held against it. One that fails, or takes
    too long, leaves a row that says why; the others go on.

    Parameters
    ----------
    X, id, time, every
        As for :meth:`Estimator.fit`.
    methods : names, estimators, or a dict of names with parameters
    truth : DynamicGraph, optional
        The true graph, to score against.
    threshold : float
        Absolute weight above which there is an edge in scores.
    lag : int, optional
        The longest lag of all methods; None for what the default method chooses.
    seconds : float
        Time after which a method is given up.

    >>> from dycausal import compare, simulate
    >>> made = simulate.linear(variables=3, series=50, steps=20, random_state=1)
    >>> sorted(compare(made.X, ["granger"], truth=made.truth).graphs)
    ['granger', 'ordered']
    """
    if not 0 < seconds < float("inf"):
        raise ParameterError(
            f"parameter `seconds` is {seconds!r}; expected a number above 0",
            name="seconds",
            found=repr(seconds),
            expected="a number above 0",
        )
    asked = _asked(methods)
    panel = as_panel(X, id=id, time=time, every=every)
    bar = bar_for(progress)
    try:
        rows, graphs, union, svg = _dycausal.compare(
            json.dumps(asked),
            panel.data(),
            None if truth is None else truth._inner,
            threshold,
            lag,
            seconds,
            _seed(random_state),
            threads.count(n_jobs),
            bar,
        )
    finally:
        if bar is not None:
            bar.close()
    table: list[dict[str, Any]] = json.loads(rows)
    pairs = zip(table, graphs, strict=True)
    found = {row["method"]: DynamicGraph(graph) for row, graph in pairs if graph is not None}
    return Comparison(table, found, DynamicGraph(union), svg)


def _asked(methods: Iterable[str | Estimator] | Mapping[str, Mapping[str, Any]]) -> list[list[Any]]:
    """Names with the parameters that are set."""
    if isinstance(methods, Mapping):
        return [[name, json.loads(_json(dict(set_)))] for name, set_ in methods.items()]
    asked: list[list[Any]] = []
    for method in [methods] if isinstance(methods, (str, Estimator)) else methods:
        if isinstance(method, Estimator):
            asked.append([method.method, json.loads(_json(method.method_parameters()))])
        else:
            asked.append([method, {}])
    return asked
