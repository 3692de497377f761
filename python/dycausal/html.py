"""Graphs in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from dycausal import words

if TYPE_CHECKING:
    from dycausal.graph import DynamicGraph

_SHOWN = 20
_WIDTH, _HEIGHT = 120, 24


def of_graph(graph: DynamicGraph) -> str:
    """A table of the best supported edges, each with its weight over time as a small picture."""
    edges = graph._inner.edges()
    head = "".join(
        f"<th>{title}</th>"
        for title in ("source", "target", "lag", "strongest", "over time", "there", "q", "motion")
    )
    body = []
    for edge in words.best_supported(graph, _SHOWN):
        cells = (
            escape(graph.names[edges["source"][edge]]),
            escape(graph.names[edges["target"][edge]]),
            str(edges["lag"][edge]),
            f"{edges['strongest'][edge]:.3f}",
            _picture(graph, edge),
            escape(words.presence(graph, edges, edge)),
            escape(words.p_value(edges["q"][edge])),
            escape(words.motion(graph, edge)),
        )
        body.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    more = len(graph) - len(body)
    rest = f"<p>… and {more} more: <code>.edges()</code></p>" if more > 0 else ""
    return (
        f"<div><p>{escape(words.headline(graph))}</p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>{rest}</div>"
    )


def _picture(graph: DynamicGraph, edge: int) -> str:
    weights = graph._inner.path(edge)[0]
    weights = weights[np.linspace(0, len(weights) - 1, min(_WIDTH, len(weights))).astype(int)]
    low, high = min(0.0, float(weights.min())), max(0.0, float(weights.max()))
    scale = (_HEIGHT - 2) / max(high - low, 1e-300)
    x = np.linspace(1, _WIDTH - 1, len(weights))
    y = _HEIGHT - 1 - (weights - low) * scale
    zero = _HEIGHT - 1 + low * scale
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="weight over time">'
        f'<line x1="0" x2="{_WIDTH}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#bbb"/>'
        f'<polyline points="{points}" fill="none" stroke="currentColor"/></svg>'
    )
