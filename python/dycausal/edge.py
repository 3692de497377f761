"""One cause of one variable, and how its weight moves."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dycausal.frames import Frame, as_frame

if TYPE_CHECKING:
    from dycausal.graph import DynamicGraph


class Change(NamedTuple):
    """A sudden change: the first time after it, and the times it lies between."""

    at: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class Motion:
    """How a weight moves, as far as the data tell; `str()` says it in words.

    Attributes
    ----------
    kind : str
        The likeliest: static, drifts, jumps, flips, jumps_twice, appears, vanishes, pulses or
        drifts_and_jumps.
    probability : float
        How likely it is.
    shares : dict
        How likely each kind is.
    changes : list of Change
        Its sudden changes (at, low, high), in times that :meth:`DynamicGraph.at` takes.
    """

    kind: str
    probability: float
    shares: dict[str, float]
    changes: list[Change]
    _words: str = field(repr=False)

    def __str__(self) -> str:
        return self._words


class Edge:
    """A cause, an effect and a lag, with a weight that moves; from :meth:`DynamicGraph.edge`.

    Times are those of the data: dates as they are written, numbers, or steps from 0.

    Attributes
    ----------
    source, target : str
        The cause and the effect.
    lag : int
        How many steps the cause is ahead.

    Examples
    --------
    >>> import numpy as np
    >>> from dycausal import DynamicGraph
    >>> weights = np.zeros((3, 2, 2, 2))
    >>> weights[:, 1, 0, 1] = [0.1, 0.5, 0.9]
    >>> edge = DynamicGraph.from_weights(weights, names=["rain", "river"]).edge("rain", "river")
    >>> edge
    Edge(rain → river, lag 1)
    >>> edge.at(1)
    0.5
    >>> edge.band(1) is None and edge.motion is None
    True
    >>> edge.path(frame="dict")["weight"]
    array([0.1, 0.5, 0.9])
    """

    def __init__(self, graph: DynamicGraph, number: int, source: str, target: str, lag: int) -> None:
        self._graph = graph
        self._number = number
        self.source = source
        self.target = target
        self.lag = lag

    def _step(self, time: Any, step: int | None) -> int:
        if step is not None:
            return step
        if time is None:
            raise TypeError("a time is needed, or step=")
        # Whole numbers are no dates, so they can be steps.
        if self._graph._inner.labels is not None and isinstance(time, (int, np.integer)):
            return int(time)
        return self._graph.step_of(time)

    def at(self, time: Any = None, *, step: int | None = None) -> float:
        """The weight at a time, or at a step from 0; 0 where the edge is not there.

        Where times are dates, a whole number is a step too.
        """
        return self._graph._inner.weight(self._number, self._step(time, step))

    def band(
        self, time: Any = None, *, step: int | None = None, simultaneous: bool = False
    ) -> tuple[float, float] | None:
        """Where the weight may lie at a time: a lower and an upper bound; None without a band.

        NaN where nothing is known, or the edge is not there.

        Parameters
        ----------
        time, step
            As in :meth:`at`.
        simultaneous : bool
            The bounds of the wider band that holds the whole path, not only the weight at this time.
        """
        return self._graph._inner.band(self._number, self._step(time, step), simultaneous)

    @property
    def changing(self) -> bool:
        """Whether it changes over time: it comes or goes, or its weight moves.

        That it moves is what its test says (q up to 0.05); else the likeliest kind of its motion; else
        its weight moves by more than a quarter of its largest size. The report counts by the same rule.
        """
        return self._graph._inner.is_changing(self._number)

    @property
    def motion(self) -> Motion | None:
        """How the weight moves; None where the method does not tell."""
        found = self._graph._inner.motion(self._number)
        if found is None:
            return None
        text, words = found
        motion = json.loads(text)
        label = self._graph._time
        changes = [
            Change(*(label(change[name]) for name in Change._fields)) for change in motion.get("changes", [])
        ]
        return Motion(motion["kind"], motion["probability"], dict(motion["shares"]), changes, words)

    def effect(self, *, frame: Frame = "auto") -> Any:
        """What values of the cause do to the effect; None where that is a straight line.

        Columns time, value (of the cause), effect (what it adds, compared with what it usually adds), low and
        high: a band around it. The weight of such an edge is how steep its effect is: the root mean square of
        its derivative over the data, with the sign of its mean.

        Parameters
        ----------
        frame : {"auto", "pandas", "polars", "dict"}
            The kind of table.
        """
        text = self._graph._inner.effect(self._number)
        if text is None:
            return None
        told = json.loads(text)
        curves, values = told["curves"], np.array(told["at"])
        columns = {
            "time": np.array([self._graph._time(curve["step"]) for curve in curves for _ in values]),
            "value": np.tile(values, len(curves)),
        }
        for name in ("effect", "low", "high"):
            columns[name] = np.array([x for curve in curves for x in curve[name]])
        return as_frame(columns, frame)

    @property
    def there(self) -> list[tuple[Any, Any]] | None:
        """First and last time of every stretch at which the weight is certainly not 0.

        A band that holds the whole path leaves 0 out then. None where that was not tested.
        """
        certain = self._graph._inner.certain(self._number)
        if certain is None:
            return None
        return [(self._graph._time(start), self._graph._time(end - 1)) for start, end in certain]

    @property
    def given(self) -> str:
        """What was known of the edge before: "nothing", its "direction", or the "edge" itself."""
        return self._graph._inner.given(self._number)

    def path(self, *, frame: Frame = "auto") -> Any:
        """A table with one row per step: time, weight, and where there is a band its bounds.

        `low` and `high` hold the weight at each time, `low_path` and `high_path` the whole path.
        """
        inner = self._graph._inner
        weight, band = inner.path(self._number)
        _, whole = inner.path(self._number, simultaneous=True)
        table = {"time": self._graph.times, "weight": weight}
        if band is not None:
            table["low"], table["high"] = band
        if whole is not None:
            table["low_path"], table["high_path"] = whole
        return as_frame(table, frame)

    def __repr__(self) -> str:
        return f"Edge({self.source} → {self.target}, lag {self.lag})"
