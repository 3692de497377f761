"""Graphs as pictures, with matplotlib."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

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
    _, whole = graph._inner.path(edge, simultaneous=True)
    for band, alpha in ((bounds, 0.2), (whole, 0.1)):
        if band is not None:
            ax.fill_between(times, *band, alpha=alpha, color=line.get_color(), linewidth=0)
    found = graph._inner.motion(edge)
    for change in json.loads(found[0]).get("changes", []) if found else []:
        ax.axvline(times[change["at"]], color=line.get_color(), linewidth=0.8, linestyle=":")
        ax.axvspan(times[change["low"]], times[change["high"]], color=line.get_color(), alpha=0.08)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
