"""Proof that a graph has no cycle within any step, or the cycle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """Proof that no step has a cycle among its instantaneous edges, or the cycle.

    Attributes
    ----------
    acyclic : bool
        Whether every step is free of cycles.
    steps : int
        How many steps were checked.
    order : list of str or None
        An order, causes first, that holds at every step, where one does.
    cycle : list of str or None
        Variables that are causes of each other in a circle.
    step : int or None
        The first step with that cycle, from 0.
    """

    acyclic: bool
    steps: int
    order: list[str] | None = None
    cycle: list[str] | None = None
    step: int | None = None
