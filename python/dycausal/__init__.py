"""Learns how cause and effect change over time from multivariate time series.

>>> from dycausal import Ordered, simulate
>>> made = simulate.linear(variables=4, series=100, steps=20, random_state=1)
>>> graph = Ordered().fit(made.X).graph_
>>> graph.certificate.acyclic
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dycausal import errors, methods
from dycausal._dycausal import __version__
from dycausal.certificate import Certificate
from dycausal.comparison import Comparison, compare
from dycausal.edge import Change, Edge, Motion
from dycausal.errors import DycausalError, DycausalWarning
from dycausal.estimator import Estimator, NotFittedError
from dycausal.files import load, read
from dycausal.graph import DynamicGraph
from dycausal.knowledge import Knowledge
from dycausal.methods import *  # noqa: F403
from dycausal.panel import Panel, as_panel

if TYPE_CHECKING:
    from dycausal import datasets, distributed, inspect, metrics, simulate

#: Modules that are imported when they are asked for.
_LATER = ("datasets", "distributed", "inspect", "metrics", "simulate")

__all__ = [
    *methods.__all__,
    "Certificate",
    "Change",
    "Comparison",
    "DycausalError",
    "DycausalWarning",
    "DynamicGraph",
    "Edge",
    "Estimator",
    "Knowledge",
    "Motion",
    "NotFittedError",
    "Panel",
    "__version__",
    "as_panel",
    "compare",
    "datasets",
    "distributed",
    "errors",
    "inspect",
    "load",
    "method",
    "methods",
    "metrics",
    "read",
    "simulate",
]


def method(name: str, **parameters: Any) -> Estimator:
    """The estimator of a method by its name on the command line.

    >>> method("ordered", lag=2)
    Ordered(lag=2)
    """
    kinds = {getattr(methods, kind).method: getattr(methods, kind) for kind in methods.__all__}
    if name not in kinds:
        raise errors.UnknownMethodError(
            f"there is no method `{name}`; there are: {', '.join(kinds)}",
            name=name,
            nearest=None,
            known=list(kinds),
        )
    found: Estimator = kinds[name](**parameters)
    return found


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return importlib.import_module(f"dycausal.{name}")
    raise AttributeError(f"module 'dycausal' has no attribute {name!r}")
