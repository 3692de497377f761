"""What the data support, before a fit.

>>> import numpy as np
>>> from dycausal.inspect import inspect
>>> found = inspect(np.random.default_rng(0).normal(size=(50, 3)))
>>> found.rows
49
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dycausal import _dycausal, threads
from dycausal.panel import as_panel


@dataclass(frozen=True)
class Column:
    """One variable: missing cells, mean, sd, and how much of it the others explain, linearly."""

    name: str
    missing: int
    mean: float | None
    sd: float | None
    constant: bool
    explained: float | None


@dataclass(frozen=True)
class Finding:
    """One thing to know before a fit: `level` is note, warning or obstacle."""

    level: str
    text: str


@dataclass(frozen=True)
class Hole:
    """Steps at which nothing was recorded: of one series, or of all where `series` is None."""

    series: str | None
    from_: str
    to: str
    steps: int


@dataclass(frozen=True)
class Proposal:
    """What could be done to a column first: the word for `prepare`, and why."""

    variable: str
    prepare: str
    why: str


@dataclass(frozen=True)
class Inspection:
    """What data look like to a method with some lag."""

    series: int
    lengths: tuple[int, int]
    times: tuple[str, str]
    spacing: float | None
    step: str | None
    holes: tuple[Hole, ...]
    missing: int
    columns: tuple[Column, ...]
    dependences: tuple[dict[str, Any], ...]
    lag: int
    rows: int
    complete: int
    filled: dict[str, Any] | None
    rows_per_weight: float
    findings: tuple[Finding, ...]
    proposals: tuple[Proposal, ...]

    def __str__(self) -> str:
        size = f"{self.series} series of {self.lengths[0]} to {self.lengths[1]} steps"
        head = (
            f"{size}, {len(self.columns)} variables, {self.missing} missing cells; {self.rows} "
            f"rows at lag {self.lag} ({self.complete} complete), {self.rows_per_weight:.1f} per weight"
        )
        findings = (f"{finding.level}: {finding.text}" for finding in self.findings)
        proposals = (f"prepare {one.prepare}: {one.why}" for one in self.proposals)
        return "\n".join([head, *findings, *proposals])


def inspect(
    X: Any,
    lag: int = 1,
    *,
    id: str | None = None,
    time: str | None = None,
    every: str | None = None,
    n_jobs: int | None = None,
) -> Inspection:
    """Looks at data with the eyes of a method of this lag.

    Parameters
    ----------
    X, id, time, every
        As in `fit`.
    lag : int
        The longest lag.
    """
    panel = as_panel(X, id=id, time=time, every=every)
    found = json.loads(_dycausal.inspect(panel.data(), lag, threads.count(n_jobs)))
    found["columns"] = tuple(Column(**column) for column in found["columns"])
    found["findings"] = tuple(Finding(**finding) for finding in found["findings"])
    found["holes"] = tuple(
        Hole(hole["series"], hole["from"], hole["to"], hole["steps"]) for hole in found["holes"]
    )
    found["proposals"] = tuple(Proposal(**proposal) for proposal in found["proposals"])
    found["dependences"] = tuple(found["dependences"])
    found["lengths"], found["times"] = tuple(found["lengths"]), tuple(found["times"])
    return Inspection(**found)


def varsortability(X: Any, truth: ArrayLike, **columns: str) -> float | None:
    """How often variances grow along the paths of the true graph [from, to]: 0.5 is chance.

    A benchmark on which they nearly always do proves little: sorting by variance solves it.
    """
    values = as_panel(X, **columns).values
    variances = np.nanvar(values, axis=(0, 1))
    edges = [(int(i), int(j)) for i, j in np.argwhere(np.asarray(truth) != 0) if i != j]
    return _dycausal.sortability(variances.tolist(), edges)
