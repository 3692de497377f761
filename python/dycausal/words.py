"""Graphs as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dycausal.graph import DynamicGraph

_BARS = "▁▂▃▄▅▆▇█"

#: What is said beside an edge of each mark, and below the table.
_QUERY = {"directed": "", "undirected": " (?)", "conflict": " (!)"}
_MEANING = {
    "undirected": "(?) the data do not tell which way this edge points",
    "conflict": "(!) parts of the data point both ways",
}


def strongest(graph: DynamicGraph, most: int) -> list[int]:
    """The numbers of the strongest edges; equal ones in the order of the graph."""
    weights = np.abs(graph._inner.edges()["strongest"])
    return [int(edge) for edge in np.argsort(-weights, kind="stable")[:most]]


def best_supported(graph: DynamicGraph, most: int) -> list[int]:
    """The numbers of the edges with the smallest q-values; equal ones by strength."""
    return graph._inner.ranked()[:most]


def time_label(graph: DynamicGraph, step: int) -> str:
    """The time of a step as a person would write it; plain steps count from 0."""
    labels, numbers = graph._inner.labels, graph._inner.times
    if labels is not None:
        return labels[step]
    return str(step) if numbers is None else f"{numbers[step]:g}"


def sparkline(weights: NDArray[np.float64], width: int = 12) -> str:
    """The weight over time in a few characters, on a scale that includes 0."""
    shown = weights[np.linspace(0, len(weights) - 1, min(width, len(weights))).astype(int)]
    low, high = min(0.0, float(shown.min())), max(0.0, float(shown.max()))
    heights = np.round((shown - low) / max(high - low, 1e-300) * 7).astype(int)
    return "".join(_BARS[height] for height in heights)


def presence(graph: DynamicGraph, edges: dict[str, NDArray[Any]], edge: int) -> str:
    """When an edge is there; certainly so, where that is known."""
    if edges["there"][edge]:
        return str(edges["there"][edge])
    steps, first, last = (int(edges[name][edge]) for name in ("steps", "first", "last"))
    if steps == graph.steps:
        return "always"
    span = f"{time_label(graph, first)} to {time_label(graph, last)}"
    return span if steps == last - first + 1 else f"{span}, {steps} steps"


def motion(graph: DynamicGraph, edge: int) -> str:
    """How an edge moves, in words; nothing where that is not known."""
    found = graph._inner.motion(edge)
    return "" if found is None else found[1]


def p_value(p: float) -> str:
    """A p- or q-value, or a dash where there is none."""
    return "-" if np.isnan(p) else "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def headline(graph: DynamicGraph) -> str:
    """How many edges there are, and that no step has a cycle."""
    lags = graph._inner.edges()["lag"]
    within = int((lags == 0).sum())
    certificate = graph.certificate
    proof = f"acyclic at all {graph.steps} steps"
    if not certificate.acyclic:
        proof = f"CYCLIC at step {certificate.step}: {' → '.join(certificate.cycle or [])}"
    return (
        f"{len(graph)} edges ({within} within a step, {len(graph) - within} lagged) between "
        f"{len(graph.names)} variables over {graph.steps} steps; {proof}"
    )


def summary(graph: DynamicGraph, most: int) -> str:
    """The best supported edges as a table of text."""
    edges = graph._inner.edges()
    shown = best_supported(graph, most)
    moves = any(motion(graph, edge) for edge in shown)
    rows = [
        ("source", "target", "lag", "strongest", "mean", "over time", "there", "q", "motion" if moves else "")
    ]
    for edge in shown:
        rows.append(
            (
                graph.names[edges["source"][edge]],
                graph.names[edges["target"][edge]],
                str(edges["lag"][edge]),
                f"{edges['strongest'][edge]:.3f}",
                f"{edges['mean'][edge]:.3f}",
                sparkline(graph._inner.path(edge)[0]),
                presence(graph, edges, edge) + _QUERY[edges["mark"][edge]],
                p_value(edges["q"][edge]),
                motion(graph, edge),
            )
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows]
    more = len(graph) - (len(rows) - 1)
    tail = [f"… and {more} more"] if more > 0 else []
    for regime in graph.regimes():
        changing = ", ".join(f"{source} → {target}" for source, target, _ in regime["edges"][:4])
        rest = ", …" if len(regime["edges"]) > 4 else ""
        span = f"{regime['low']} to {regime['high']}"
        tail.append(
            f"regime changes at {regime['at']} ({span}): {len(regime['edges'])} edges: {changing}{rest}"
        )
    for mark, meaning in _MEANING.items():
        if (edges["mark"] == mark).any():
            tail.append(meaning)
    return "\n".join([headline(graph), "", *lines, *tail])
