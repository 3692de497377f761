"""How often an edge is found again in other samples of the data."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal.distributed.backends import backend_of
from dycausal.errors import DycausalError, NumericalError, ParameterError
from dycausal.estimator import Estimator
from dycausal.frames import Frame, as_frame
from dycausal.graph import DynamicGraph
from dycausal.panel import Panel, as_panel


@dataclass
class Resamples:
    """Graphs of other samples of the data.

    Attributes
    ----------
    graph : DynamicGraph
        The graph of all the data.
    graphs : list of DynamicGraph
        Those of the samples, in order.
    failed : list of str
        Why there are fewer graphs than samples, where there are.
    """

    graph: DynamicGraph
    graphs: list[DynamicGraph] = field(repr=False)
    failed: list[str]

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The share [lag, from, to] of samples in which an edge is there at any time."""
        count = len(self.graph.names)
        found = np.zeros((self.graph.lag + 1, count, count))
        for graph in self.graphs:
            edges = graph._inner.edges()
            found[edges["lag"], edges["source"], edges["target"]] += 1
        return found / len(self.graphs)

    @property
    def frequency_over_time(self) -> NDArray[np.float64]:
        """The share [time, lag, from, to] of samples in which an edge is there at each time."""
        found = np.zeros(self.graph.to_numpy().shape)
        for graph in self.graphs:
            edges = graph._inner.edges()
            for number, place in enumerate(zip(edges["lag"], edges["source"], edges["target"])):
                for first, end in graph._inner.present(number):
                    found[(slice(first, end), *place)] += 1
        return found / len(self.graphs)

    def stable(self, threshold: float = 0.8, *, frame: Frame = "auto") -> Any:
        """The edges that are there in at least this share of the samples, the most frequent first."""
        frequency = self.frequency
        lag, source, target = np.nonzero(frequency >= max(threshold, np.finfo(float).tiny))
        shares = frequency[lag, source, target]
        order = np.argsort(-shares, kind="stable")
        names = np.asarray(self.graph.names, dtype=object)
        table = {
            "source": names[source[order]],
            "target": names[target[order]],
            "lag": lag[order],
            "frequency": shares[order],
        }
        return as_frame(table, frame)

    def interval(
        self, source: str, target: str, lag: int = 0, level: float = 0.95
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Quantiles of the weight of one edge over the samples, at each step; 0 where it is not."""
        weights = np.stack([graph.weight(source, target, lag) for graph in self.graphs])
        low, high = np.quantile(weights, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high


def bootstrap(
    estimator: Estimator,
    X: Any,
    n_resamples: int = 100,
    *,
    block_length: int | None = None,
    random_state: int = 0,
    backend: Any = "serial",
    id: str | None = None,
    time: str | None = None,
) -> Resamples:
    """Fits samples of the data as large as the data.

    Several series are drawn with replacement. A single series is put together from blocks, each
    taken from nearby in time (the local block bootstrap), so that slow changes stay where they are.

    Parameters
    ----------
    estimator : Estimator
        Not changed; its parameters are used.
    X, id, time
        As in `fit`.
    n_resamples : int
        How many samples.
    block_length : int, optional
        Steps per block of a single series; the square root of their number without.
    random_state : int
        The seed of the samples; sample k is the same on every backend.
    backend : {"serial", "threads", "ray", "dask"}, a client of Dask, or a backend
        Where to fit.

    Returns
    -------
    Resamples
    """
    panel = as_panel(X, id=id, time=time)
    length = block_length or max(2, round(panel.shape[1] ** 0.5))
    return _resample(estimator, panel, _Bootstrap(length), n_resamples, random_state, backend)


def stability_selection(
    estimator: Estimator,
    X: Any,
    n_resamples: int = 100,
    *,
    share: float = 0.5,
    block_length: int | None = None,
    random_state: int = 0,
    backend: Any = "serial",
    id: str | None = None,
    time: str | None = None,
) -> Resamples:
    """Fits random parts of the data; edges that are found in most of them are stable.

    Of several series a share is taken, without replacement. Of a single series the other blocks of
    time are missing, so the method has to take missing cells.

    Parameters
    ----------
    share : float
        How much of the data each sample has.
    estimator, X, n_resamples, block_length, random_state, backend, id, time
        As in :func:`bootstrap`.

    Returns
    -------
    Resamples
    """
    if not 0 < share < 1:
        raise ParameterError(
            f"parameter `share` is {share}; expected a number between 0 and 1",
            name="share",
            found=str(share),
            expected="a number between 0 and 1",
        )
    panel = as_panel(X, id=id, time=time)
    length = block_length or max(2, round(panel.shape[1] ** 0.5))
    return _resample(estimator, panel, _Part(length, share), n_resamples, random_state, backend)


@dataclass(frozen=True)
class _Bootstrap:
    length: int

    def draw(self, panel: Panel, random: np.random.Generator) -> Panel:
        series, steps, _ = panel.shape
        if series > 1:
            return panel.with_values(panel.values[random.integers(series, size=series)])
        length = min(self.length, steps)
        values = np.empty_like(panel.values)
        for start in range(0, steps, length):
            count = min(length, steps - start)
            near = random.integers(max(0, start - 2 * length), min(steps - count, start + 2 * length) + 1)
            values[0, start : start + count] = panel.values[0, near : near + count]
        return panel.with_values(values)


@dataclass(frozen=True)
class _Part:
    length: int
    share: float

    def draw(self, panel: Panel, random: np.random.Generator) -> Panel:
        series, steps, _ = panel.shape
        if series > 1:
            kept = random.permutation(series)[: max(1, round(self.share * series))]
            return panel.with_values(panel.values[np.sort(kept)])
        blocks = -(-steps // self.length)
        gone = random.permutation(blocks)[round(self.share * blocks) :]
        values = panel.values.copy()
        for block in gone:
            values[0, block * self.length : (block + 1) * self.length] = np.nan
        return panel.with_values(values)


def _resample(
    estimator: Estimator, panel: Panel, plan: Any, count: int, random_state: int, backend: Any
) -> Resamples:
    if count < 1:
        raise ParameterError(
            f"parameter `n_resamples` is {count}; expected at least 1",
            name="n_resamples",
            found=str(count),
            expected="at least 1",
        )
    estimator.check()
    plain = one_thread(estimator)
    seeds = np.random.SeedSequence(random_state).spawn(count)
    shared = (plain, panel, plan)
    results = list(backend_of(backend).run(_fit_sample, shared, [None, *seeds]))
    whole, *samples = results
    if isinstance(whole, DycausalError):
        raise whole
    failed = [str(sample) for sample in samples if isinstance(sample, DycausalError)]
    graphs = [sample for sample in samples if isinstance(sample, DynamicGraph)]
    if not graphs:
        raise NumericalError(
            f"none of {count} samples of the data could be fitted; the first: {failed[0]}",
            stage="resampling",
            what=failed[0],
        )
    return Resamples(whole, graphs, failed)


def one_thread(estimator: Estimator) -> Estimator:
    """The same estimator, unfitted, silent and on one thread: the cores are busy with other tasks."""
    same = copy.copy(estimator)
    same.__dict__.pop("graph_", None)
    same._quiet = True
    return same.set_params(n_jobs=1, progress=False)


def _fit_sample(shared: tuple[Estimator, Panel, Any], seed: Any) -> DynamicGraph | DycausalError:
    estimator, panel, plan = shared
    sample = panel if seed is None else plan.draw(panel, np.random.default_rng(seed))
    return fitted(estimator, sample)


def fitted(estimator: Estimator, panel: Panel) -> DynamicGraph | DycausalError:
    """The graph of a fit, or why there is none."""
    try:
        return copy.copy(estimator).fit(panel).graph_
    except DycausalError as error:
        return error
