"""Graphs as pictures, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dycausal import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dycausal.graph import DynamicGraph


def plot(graph: DynamicGraph, most: int, ax: Axes | None) -> Any:
    """Draws the weights of the strongest edges over time."""
    import matplotlib.pyplot as plt

    edges = words.strongest(graph, most)
    if ax is not None:
        for edge in edges:
            _draw(graph, edge, ax, _title(graph, edge))
        if edges:
            ax.legend(fontsize="small")
        return ax.figure
    columns = min(4, max(1, len(edges)))
    rows = max(1, -(-len(edges) // columns))
    figure, axes = plt.subplots(rows, columns, figsize=(3 * columns, 2.2 * rows), sharex=True, squeeze=False)
    for place, edge in zip(axes.flat, edges):
        _draw(graph, edge, place, None)
        place.set_title(_title(graph, edge), fontsize="small")
    for place in axes.flat[len(edges) :]:
        place.set_axis_off()
    figure.tight_layout()
    return figure


def _title(graph: DynamicGraph, edge: int) -> str:
    edges = graph._inner.edges()
    source, target = (graph.names[edges[end][edge]] for end in ("source", "target"))
    return f"{source} → {target}, lag {edges['lag'][edge]}"


def _draw(graph: DynamicGraph, edge: int, ax: Axes, label: str | None) -> None:
    weights, bounds = graph._inner.path(edge)
    times = graph.times
    (line,) = ax.plot(times, weights, label=label)
    if bounds is not None:
        there = weights != 0
        low, high = (np.where(there, bound, np.nan) for bound in bounds)
        ax.fill_between(times, low, high, alpha=0.2, color=line.get_color(), linewidth=0)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
