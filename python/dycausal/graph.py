"""The answer: which variable causes which, how much, how much later, and when."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dycausal import _dycausal, threads, words
from dycausal.certificate import Certificate
from dycausal.edge import Edge
from dycausal.errors import NoSuchColumnError, ShapeError
from dycausal.frames import Frame, as_frame, edge_table
from dycausal.panel import as_panel
from dycausal.times import Times, times_of

if TYPE_CHECKING:
    import networkx
    from matplotlib.axes import Axes


#: Steps of trajectories, where not every one is asked for.
MOST_STEPS = 500


class DynamicGraph:
    """Edges (cause, effect, lag) between named variables, each with a weight that moves in time.

    Order everywhere: time, lag, from, to; cause first. Graphs never change; they come from a fit
    (`estimator.graph_`), from :meth:`from_weights` or from :meth:`load`.

    Attributes
    ----------
    record : dict or None
        How the graph was found: method, parameters, seed, timings, warnings.

    Examples
    --------
    >>> import numpy as np
    >>> weights = np.zeros((3, 2, 2, 2))
    >>> weights[:, 1, 0, 1] = [0.1, 0.5, 0.9]
    >>> graph = DynamicGraph.from_weights(weights, names=["rain", "river"])
    >>> graph.edges(frame="dict")["strongest"]
    array([0.9])
    >>> graph.trajectories(frame="dict")["weight"]
    array([0.1, 0.5, 0.9])
    """

    def __init__(self, inner: _dycausal.Graph, record: dict[str, Any] | None = None) -> None:
        self._inner = inner
        self.record = record

    @classmethod
    def from_weights(
        cls, weights: ArrayLike, names: Sequence[str] | None = None, times: Any = None
    ) -> DynamicGraph:
        """The graph of an array of weights; an edge is there where its weight is not 0.

        Parameters
        ----------
        weights : array [time, lag, from, to], [lag, from, to] or [from, to]
            The shorter shapes are graphs of a single step.
        names : sequence of str, optional
            The variables' names; x1, x2, … without.
        times : array of numbers or dates, optional
            The time of each step.
        """
        array = np.asarray(weights, dtype=np.float64)
        if array.ndim not in (2, 3, 4) or array.shape[-1] != array.shape[-2]:
            raise ShapeError(
                f"weights: found shape {array.shape}; expected [time, lag, from, to], [lag, from, "
                "to] or [from, to], `from` and `to` of one length",
                what="weights",
                found=str(array.shape),
                expected="[time, lag, from, to]",
            )
        array = array.reshape((1,) * (4 - array.ndim) + array.shape)
        called = [f"x{v + 1}" for v in range(array.shape[3])] if names is None else list(names)
        when = None if times is None else times_of("times", times)
        numbers = None if when is None else when.numbers
        labels = None if when is None else when.labels
        return cls(_dycausal.Graph.from_weights(array, called, numbers, labels))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> DynamicGraph:
        """Reads the folder of a run, written by :meth:`save` or `dycausal fit`."""
        inner, record = _dycausal.read_run(os.fspath(folder))
        return cls(inner, json.loads(record))

    def save(
        self,
        folder: str | os.PathLike[str],
        *,
        force: bool = False,
        also: Sequence[str] = (),
        every_step: bool = False,
    ) -> list[str]:
        """Writes the folder of a run, whole or not at all.

        Parameters
        ----------
        folder : path
            Where; it must not exist, unless `force` is given.
        force : bool
            Replace a run that is there.
        also : sequence of {"parquet", "dot", "graphml", "tigramite", "trajectories-csv"}
            Formats to write beside the usual ones.
        every_step : bool
            Write trajectories at every step, not at 500 steps at most, and keep every number that a
            method has for each step.

        Returns
        -------
        list of str
            The files written.
        """
        record = None if self.record is None else json.dumps(self.record)
        return _dycausal.write_run(os.fspath(folder), self._inner, record, force, list(also), every_step)

    @property
    def names(self) -> list[str]:
        """The variables' names."""
        return self._inner.names

    @property
    def lag(self) -> int:
        """The longest lag looked at."""
        return self._inner.lag

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return self._inner.steps

    @property
    def times(self) -> NDArray[Any]:
        """The time of each step: numbers from 0, numbers, or dates (datetime64)."""
        numbers, labels = self._inner.times, self._inner.labels
        if numbers is None:
            return np.arange(self.steps)
        if labels is None:
            return numbers
        return np.round(numbers * 1e6).astype("datetime64[us]")

    @property
    def prepared(self) -> dict[str, Any] | None:
        """What was done to the columns before, with their units then; None where nothing was."""
        text = self._inner.prepared
        return None if text is None else json.loads(text)

    @property
    def known(self) -> list[str] | None:
        """What was said of the graph before it was learned; None where nothing was."""
        return self._inner.known

    @property
    def scale(self) -> NDArray[np.float64] | None:
        """The standard deviation of every variable in the data; None where it is not known."""
        return self._inner.scale

    @property
    def certificate(self) -> Certificate:
        """Proof that no step has a cycle."""
        found = json.loads(self._inner.certificate())
        if "acyclic" in found:
            return Certificate(True, **found["acyclic"])
        return Certificate(False, self.steps, **found["cyclic"])

    def diagnostics(
        self, X: Any = None, *, id: str | None = None, time: str | None = None, n_jobs: int | None = None
    ) -> list[dict[str, Any]]:
        """What each check of the residuals found: whether to believe the graph.

        Parameters
        ----------
        X, id, time
            Data with the variables and steps of the graph, as in `fit`; without, what the fit found
            on its own data.

        Returns
        -------
        list of dict
            `check`; `variables` it is about, none for the whole graph; `figures`; `p`, adjusted for
            all variables or pairs, or None; `verdict`: fine, doubtful or bad; `words`. Empty where
            weights are not linear effects. `pandas.DataFrame(...)` makes a table of it.
        """
        record = self.record or {}
        found = record.get("diagnostics")
        if X is not None:
            parameters = json.dumps(record.get("parameters", {}))
            data = as_panel(X, id=id, time=time).data()
            found = json.loads(_dycausal.diagnose(self._inner, data, parameters, threads.count(n_jobs)))
        return [{"p": None, **finding} for finding in (found or {}).get("findings", [])]

    def step_of(self, time: Any) -> int:
        """The number, from 0, of the step with this time."""
        numbers, labels = self._inner.times, self._inner.labels
        if numbers is None:
            if int(time) != time or not 0 <= time < self.steps:
                raise IndexError(f"step {time}; there are {self.steps} steps, from 0")
            return int(time)
        if labels is not None and isinstance(time, str) and time in labels:
            return labels.index(time)
        wanted = float(time) if labels is None else times_of("time", [time]).numbers[0]
        here = np.flatnonzero(numbers == wanted)
        if not here.size:
            shown = Times(numbers, labels)
            raise KeyError(
                f"there is no time {time}; times run from {shown.label(0)} to "
                f"{shown.label(self.steps - 1)} (step= counts from 0)"
            )
        return int(here[0])

    def _step(self, time: Any, step: int | None) -> int | None:
        return step if step is not None else None if time is None else self.step_of(time)

    def at(self, time: Any = None, *, step: int | None = None, frame: Frame = "auto") -> Any:
        """The edges that are there at one time, with their weights then.

        Parameters
        ----------
        time : number, date or text, optional
            A time of the data; without times of their own, steps count from 0.
        step : int, optional
            The number of the step instead, from 0.
        frame : {"auto", "pandas", "polars", "dict"}
            What to return: "auto" is a DataFrame of pandas, where it is installed.
        """
        chosen = self._step(time, step)
        if chosen is None:
            raise TypeError("at() needs a time, or step=")
        self._inner.snapshot(chosen)  # refuses a step that is not there
        return self._table(self._inner.rows(chosen), frame)

    def edges(self, *, frame: Frame = "auto") -> Any:
        """One row per edge: its strongest and mean weight, when it is there, and what is known of it.

        Columns: source, target, lag, strongest, mean, first, last, steps, present (when it is there, in
        words), and where they are known strength (the strongest weight in standard deviations), p (no
        such edge), q (adjusted for all edges tested), p_unchanging, q_unchanging (the weight never
        moves), motion, motion_probability (how the weight moves), change, change_low, change_high (its
        first sudden change), changes (all of them, in words), there (when it is certainly not 0, in
        words), mark (directed, undirected or conflict; left out where all are directed), confidence
        (that the direction is right) and support (the share of resamples with the edge).
        """
        return self._table(self._inner.edges(full=False), frame)

    def ranking(self, *, sources: Literal["same", "differ"] = "same", frame: Frame = "auto") -> Any:
        """One row per possible edge, listed or not: the larger its statistic, the more speaks for it.

        Columns: source, target, lag, statistic, listed; rows by falling statistic. Curves over all
        thresholds (AUROC, AUPR) need these, and no threshold. What the statistic is:
        :attr:`ranking_statistic`.

        Parameters
        ----------
        sources : {"same", "differ"}
            What is believed of causes. "differ": some variables drive much and others little, so that
            what speaks for one effect of a variable speaks a little for its others; statistics are then
            log odds.
        frame : {"auto", "pandas", "polars", "dict"}
            What to return, as in :meth:`at`.

        Raises
        ------
        ValueError
            If the method gives no statistic for edges that are not listed.
        """
        found = self._inner.ranking(sources)
        if found is None:
            raise ValueError(
                "there is no ranking: the method gives no statistic for edges that are not listed, or "
                "there were too many of them"
            )
        values, listed = found[0], self._inner.listed()
        lag, source, target = np.nonzero(~np.isnan(values))
        statistic = values[lag, source, target]
        order = np.argsort(-statistic, kind="stable")
        lag, source, target, statistic = lag[order], source[order], target[order], statistic[order]
        names = np.asarray(self.names, dtype=object)
        columns = {
            "source": names[source],
            "target": names[target],
            "lag": lag,
            "statistic": statistic,
            "listed": listed[lag, source, target],
        }
        return as_frame(columns, frame)

    @property
    def ranking_statistic(self) -> str | None:
        """What :meth:`ranking` ranks by; None where there is no ranking."""
        found = self._inner.ranking()
        return None if found is None else found[1]

    def overview(self, *, frame: Frame = "auto") -> Any:
        """The same as :meth:`edges`."""
        return self.edges(frame=frame)

    def trajectories(self, *, every_step: bool = False, frame: Frame = "auto") -> Any:
        """How weights move: one row per edge and time at which it is there.

        Columns: source, target, lag, time, weight, and where they are known original (the weight in the
        units that columns had before they were prepared), low and high (its band).

        Parameters
        ----------
        every_step : bool
            All steps; without, at most 500 evenly spaced ones, and those at which an edge comes and goes.
            An edge that stays the same has one row, at the first time at which it is there.
        frame : {"auto", "pandas", "polars", "dict"}
            What to return, as in :meth:`at`.
        """
        return self._table(self._inner.trajectories(self.steps if every_step else MOST_STEPS), frame)

    def _table(self, columns: dict[str, NDArray[Any]], frame: Frame) -> Any:
        return as_frame(edge_table(columns, self.names, self.times), frame)

    def weight(self, source: str, target: str, lag: int = 0) -> NDArray[np.float64]:
        """The weight of one edge at each step; 0 where there is none."""
        from_, to = self._number(source), self._number(target)
        edges = self._inner.edges()
        here = (edges["source"] == from_) & (edges["target"] == to) & (edges["lag"] == lag)
        if not here.any():
            return np.zeros(self.steps)
        return self._inner.path(int(np.flatnonzero(here)[0]))[0]

    def edge(self, source: str, target: str, lag: int | None = None) -> Edge:
        """One edge: its weight and its bounds at any time, how it moves, when it is certainly there.

        Parameters
        ----------
        source, target : str
            The cause and the effect.
        lag : int, optional
            How many steps the cause is ahead; may be left out where there is one edge between the two.

        Raises
        ------
        KeyError
            If there is no such edge, or several and no lag was given.
        """
        columns = self._inner.edges()
        here = (columns["source"] == self._number(source)) & (columns["target"] == self._number(target))
        lags = {int(columns["lag"][number]): int(number) for number in np.flatnonzero(here)}
        if lag is None and len(lags) == 1:
            (lag,) = lags
        if lag is None or lag not in lags:
            known = ", ".join(map(str, lags)) or "none"
            asked = "which lag?" if lag is None and lags else "there is no such edge;"
            raise KeyError(f"{source} → {target}: {asked} there are edges at lags: {known}")
        return Edge(self, lags[lag], source, target, lag)

    def equations(self, form: Literal["words", "latex"] = "words") -> dict[str, str]:
        """The differential equation of each variable, by its name; empty where the method learns none.

        Parameters
        ----------
        form : {"words", "latex"}
            `dx3/dt = -1.02 x3 + 0.98 x1 x2`, or the same as LaTeX.
        """
        if form not in ("words", "latex"):
            raise ValueError(f'form is {form!r}; expected "words" or "latex"')
        told = (self.record or {}).get("facts", {}).get("equations", [])
        return {equation["variable"]: equation[form] for equation in told}

    def regimes(self) -> list[dict[str, Any]]:
        """Changes that at least two edges make together: changes of regime, in order of time.

        Returns
        -------
        list of dict
            `at`, the first time after the change; `low` and `high`, the times it lies between; the
            same as steps from 0 in `at_step`, `low_step`, `high_step`; `edges`, as (source, target,
            lag). Empty where the method does not tell how edges move.
        """
        columns = self._inner.edges()
        told = []
        for regime in json.loads(self._inner.regimes()):
            steps = {f"{name}_step": regime[name] for name in ("at", "low", "high")}
            times = {name: self._time(regime[name]) for name in ("at", "low", "high")}
            edges = [
                (
                    self.names[columns["source"][edge]],
                    self.names[columns["target"][edge]],
                    int(columns["lag"][edge]),
                )
                for edge in regime["edges"]
            ]
            told.append({**times, **steps, "edges": edges})
        return told

    def _time(self, step: int) -> Any:
        """The time of a step as :meth:`at` takes it: a date as it is written, a number, a step."""
        labels, numbers = self._inner.labels, self._inner.times
        if labels is not None:
            return labels[step]
        return step if numbers is None else float(numbers[step])

    def _number(self, name: str) -> int:
        if name not in self.names:
            raise NoSuchColumnError(
                f"there is no variable `{name}`; there are: {', '.join(self.names)}",
                file="graph",
                name=name,
                nearest=None,
                known=self.names,
            )
        return self.names.index(name)

    def to_numpy(
        self, time: Any = None, *, step: int | None = None, limit: int = 8 << 30
    ) -> NDArray[np.float64]:
        """Weights [time, lag, from, to], or [lag, from, to] at one time.

        Parameters
        ----------
        time, step
            As in :meth:`at`; all steps without.
        limit : int
            The most bytes that the array may take.
        """
        chosen = self._step(time, step)
        if chosen is None:
            return self._inner.weights(limit)
        return self._inner.snapshot(chosen)

    def to_networkx(self, time: Any = None, *, step: int | None = None) -> networkx.MultiDiGraph:
        """A networkx graph of one time, or of all: each edge once, its key the lag.

        Edges carry `lag` and `weight`: the weight then, or the strongest over all time.
        """
        import networkx as nx

        graph = nx.MultiDiGraph()
        graph.add_nodes_from(self.names)
        chosen = self._step(time, step)
        columns = self._inner.edges() if chosen is None else self._inner.rows(chosen)
        weights = columns["strongest" if chosen is None else "weight"]
        for source, target, lag, weight in zip(columns["source"], columns["target"], columns["lag"], weights):
            graph.add_edge(
                self.names[source],
                self.names[target],
                key=int(lag),
                lag=int(lag),
                weight=float(weight),
            )
        return graph

    def to_tigramite(self) -> dict[str, Any]:
        """`graph` and `val_matrix` [from, to, lag] over all time as tigramite has them, `var_names`."""
        links, values = self._inner.tigramite()
        return {
            "graph": np.asarray(links, dtype="<U3").reshape(values.shape),
            "val_matrix": values,
            "var_names": self.names,
        }

    def prune(self, threshold: float) -> DynamicGraph:
        """The graph without the steps at which a weight is at most `threshold` in absolute value."""
        return DynamicGraph(self._inner.prune(threshold), self.record)

    def summary(self, most: int = 20) -> str:
        """The edges with the smallest q as text, equal ones by strength, with weights over time in small."""
        return words.summary(self, most)

    def plot(self, most: int = 12, *, ax: Axes | None = None) -> Any:
        """Draws the weights of the strongest edges over time, with their bands (matplotlib).

        Parameters
        ----------
        most : int
            How many edges to draw.
        ax : Axes, optional
            Draw all of them here; without it each gets its own.

        Returns
        -------
        Figure
        """
        from dycausal import drawing

        return drawing.plot(self, most, ax)

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        *,
        truth: DynamicGraph | None = None,
        id: str | None = None,
        time: str | None = None,
    ) -> None:
        """Writes one HTML file in which the graph can be seen to move; a file that is there is replaced.

        Parameters
        ----------
        path : path
            Where, for instance ``"report.html"``. It needs no network and no other file.
        X, id, time : optional
            The data of the fit: the page shows them, and checks what the graph leaves unexplained.
        truth : DynamicGraph, optional
            The true graph, to be shown beside.
        """
        data = None if X is None else as_panel(X, id=id, time=time).data()
        record = None if self.record is None else json.dumps(self.record)
        true = None if truth is None else truth._inner
        _dycausal.report(os.fspath(path), self._inner, record, data, true)

    def picture(
        self,
        path: str | os.PathLike[str],
        kind: Literal["graph", "trajectories", "matrix"] = "graph",
        *,
        truth: DynamicGraph | None = None,
        data_units: bool = False,
    ) -> None:
        """Writes a still picture, SVG or PNG by its ending, without matplotlib.

        Weights are drawn in standard deviations where they are known, unless `data_units`.
        """
        true = None if truth is None else truth._inner
        _dycausal.picture(os.fspath(path), self._inner, kind, true, data_units)

    def __len__(self) -> int:
        """How many edges there are."""
        return self._inner.count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DynamicGraph) and self._inner == other._inner

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"DynamicGraph({len(self)} edges, {len(self.names)} variables, {self.steps} steps, "
            f"lag {self.lag})"
        )

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        from dycausal import html

        return html.of_graph(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"graph": self._inner.to_json(), "record": self.record, "ranking": self._inner.ranking()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._inner = _dycausal.Graph.from_json(state["graph"])
        ranking = state.get("ranking")  # not in what older versions wrote
        if ranking is not None:
            self._inner = self._inner.with_ranking(*ranking)
        self.record = state["record"]
