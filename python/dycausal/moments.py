"""Lagged second moments, which add up over parts of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal, threads
from dycausal.panel import as_panel
from dycausal.times import Times


class Moments:
    """The sum over series of z z' at every step, z = (x_t, x_{t-1}, …, x_{t-lag}, 1).

    All that a linear model reads of the data; its size does not depend on the number of series, and
    the moments of two parts of the data add up (`+`) to those of the whole.

    Parameters
    ----------
    inner
        As the extension has them; use :meth:`of`.
    names : list of str
        The variables' names.
    times : Times, optional
        The time of each step.
    """

    def __init__(self, inner: _dycausal.Moments, names: list[str], times: Times | None = None) -> None:
        self._inner = inner
        self.names = names
        self.times = times

    @classmethod
    def of(
        cls,
        X: Any,
        lag: int = 1,
        *,
        id: str | None = None,
        time: str | None = None,
        n_jobs: int | None = None,
    ) -> Moments:
        """The moments of data, in any of the shapes that `fit` takes."""
        panel = as_panel(X, id=id, time=time)
        inner = _dycausal.Moments.of(panel.data(), lag, threads.count(n_jobs))
        return cls(inner, panel.names, panel.times)

    @property
    def lag(self) -> int:
        """The longest lag."""
        return self._inner.lag

    @property
    def centre(self) -> NDArray[np.float64]:
        """What the values of each variable are counted from."""
        return self._inner.centre

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sums [step, size, size]: variables at lag 0, at lag 1, …, and 1 last."""
        return self._inner.sums

    @property
    def rows(self) -> NDArray[np.float64]:
        """How many complete rows each step has."""
        return self.sums[:, -1, -1]

    def covariance(self, step: int | None = None) -> NDArray[np.float64]:
        """The covariance [size - 1, size - 1] of variables and their lags, at one step or over all."""
        sums = self.sums.sum(axis=0) if step is None else self.sums[step]
        mean = sums[:-1, -1] / sums[-1, -1]
        covariance: NDArray[np.float64] = sums[:-1, :-1] / sums[-1, -1] - np.outer(mean, mean)
        return covariance

    def __add__(self, other: Moments) -> Moments:
        return Moments(self._inner.plus(other._inner), self.names, self.times)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moments) and self._inner == other._inner and self.names == other.names

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Moments({len(self.names)} variables, lag {self.lag}, {self.rows.sum():.0f} rows)"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "lag": self.lag,
            "centre": self.centre,
            "sums": self.sums,
            "names": self.names,
            "times": self.times,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._inner = _dycausal.Moments(state["lag"], state["centre"].tolist(), state["sums"])
        self.names, self.times = state["names"], state["times"]
