"""What every estimator does: parameters, fit, and the attributes of a fit."""

from __future__ import annotations

import inspect
import json
import os
import secrets
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from dycausal import _dycausal, threads
from dycausal.certificate import Certificate
from dycausal.errors import DycausalWarning, ParameterError, UnknownParameterError
from dycausal.graph import DynamicGraph
from dycausal.knowledge import Knowledge
from dycausal.moments import Moments
from dycausal.panel import as_panel
from dycausal.progress import Progress, bar_for
from dycausal.registry import methods

Self = TypeVar("Self", bound="Estimator")

#: Parameters that every estimator has beside those of its method.
COMMON = ("random_state", "n_jobs", "progress", "knowledge", "prepare")


class NotFittedError(ValueError, AttributeError):
    """An attribute of a fit was asked for before :meth:`Estimator.fit`."""


class Estimator:
    """A method that learns a dynamic graph, in scikit-learn's manner.

    The classes of :mod:`dycausal.methods` are made from this one. Parameters are kept as they are
    given and checked when `fit` is called, or by :meth:`check`; data are never changed.
    """

    #: The method's name in the registry, as on the command line.
    method: ClassVar[str]

    #: Whether what the method has to say is only kept, and no warning: for many fits at once.
    _quiet = False

    random_state: Any
    n_jobs: int | None
    progress: Progress
    knowledge: Knowledge | None
    prepare: Sequence[str] | str | None

    # Set by `fit`.
    graph_: DynamicGraph
    feature_names_in_: NDArray[Any]
    n_features_in_: int

    @classmethod
    def _parameter_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters with their values."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Sets some parameters."""
        known = self._parameter_names()
        for name, value in params.items():
            if name not in known:
                raise UnknownParameterError(
                    f"Invalid parameter {name!r} for estimator {self}: {type(self).__name__} has: "
                    f"{', '.join(known)}",
                    method=self.method,
                    name=name,
                    nearest=None,
                    known=known,
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def method_parameters(self) -> dict[str, Any]:
        """The parameters of the method, as JSON has them."""
        chosen = {name: value for name, value in self.get_params().items() if name not in COMMON}
        defaults = inspect.signature(type(self)).parameters
        # What is None by default is left to the method.
        left = {name for name, value in chosen.items() if value is None and defaults[name].default is None}
        return {name: _plain(value) for name, value in chosen.items() if name not in left}

    def check(self) -> dict[str, Any]:
        """Refuses parameters out of range; gives all of them as the method sees them."""
        checked = _dycausal.check(self.method, _json(self.method_parameters()))
        found: dict[str, Any] = json.loads(checked)
        return found

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        *,
        id: str | None = None,
        time: str | None = None,
        every: str | None = None,
    ) -> Self:
        """Learns how cause and effect change over time.

        Ctrl-C stops a fit at once.

        Parameters
        ----------
        X : array, list, dict or data frame
            An array [time, variable] or [series, time, variable]; a list of arrays [time, variable];
            a dict of columns or of series; a frame of pandas, polars or pyarrow, wide or long. NaN
            is missing. See :func:`dycausal.as_panel`.
        y : None
            Not used; here for scikit-learn.
        id : str, optional
            The column that names the series (a long table).
        time : str, optional
            The column of times.
        every : str, optional
            Even steps to bring irregular times to, such as "1h" or "1d:last".

        Returns
        -------
        self
            With the attributes `graph_`, `weights_`, `edges_`, `trajectories_`, `certificate_`,
            `diagnostics_`, `warnings_`, `record_`, `feature_names_in_` and `n_features_in_`.
        """
        parameters = _json(self.method_parameters())
        _dycausal.check(self.method, parameters)
        panel = as_panel(X, id=id, time=time, every=every)
        words = [self.prepare] if isinstance(self.prepare, str) else list(self.prepare or ())
        graph, record = self._run(
            lambda seed, count, bar, known: _dycausal.fit(
                self.method, parameters, panel.data(), seed, count, bar, known, words
            )
        )
        self._keep(panel.names, panel.notes, graph, json.loads(record))
        return self

    def fit_moments(self: Self, moments: Moments) -> Self:
        """Learns from moments alone: those of data in many files (:func:`dycausal.distributed.moments`).

        For the method `ordered`, without what the shape of the noise tells (`non_gaussian`).

        Parameters
        ----------
        moments : Moments
            Of the same lag as the estimator.
        """
        if self.method != "ordered":
            raise ParameterError(
                f"{type(self).__name__} needs the data; Ordered learns from moments alone",
                name="method",
                found=self.method,
                expected="ordered",
            )
        if self.prepare:
            raise ParameterError(
                "columns cannot be prepared where only moments are known; prepare the data before",
                name="prepare",
                found=str(self.prepare),
                expected="none",
            )
        parameters = _json(self.method_parameters())
        times = None if moments.times is None else moments.times.numbers
        labels = None if moments.times is None else moments.times.labels
        graph, record = self._run(
            lambda *run: moments._inner.fit(parameters, moments.names, times, labels, *run)
        )
        self._keep(moments.names, [], graph, json.loads(record))
        return self

    def _run(self, call: Callable[..., tuple[_dycausal.Graph, str]]) -> tuple[_dycausal.Graph, str]:
        """Calls with seed, threads, bar and what is known."""
        known = None if self.knowledge is None else self.knowledge._json()
        seed, count, bar = _seed(self.random_state), threads.count(self.n_jobs), bar_for(self.progress)
        try:
            return call(seed, count, bar, known)
        finally:
            if bar is not None:
                bar.close()

    def _keep(
        self, names: list[str], notes: list[str], graph: _dycausal.Graph, record: dict[str, Any]
    ) -> None:
        record["warnings"] = notes + record["warnings"]
        self.graph_ = DynamicGraph(graph, record)
        self.feature_names_in_ = np.asarray(names, dtype=object)
        self.n_features_in_ = len(names)
        for warning in [] if self._quiet else record["warnings"]:
            warnings.warn(warning, DycausalWarning, stacklevel=3)

    def _fitted(self) -> DynamicGraph:
        if "graph_" not in self.__dict__:
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit with data first")
        return self.graph_

    @property
    def weights_(self) -> NDArray[np.float64]:
        """Weights [time, lag, from, to]: cause first."""
        return self._fitted().to_numpy()

    @property
    def edges_(self) -> Any:
        """One row per edge (see :meth:`DynamicGraph.edges`)."""
        return self._fitted().edges()

    @property
    def trajectories_(self) -> Any:
        """How weights move, at 500 steps at most (see :meth:`DynamicGraph.trajectories`)."""
        return self._fitted().trajectories()

    @property
    def ranking_(self) -> Any:
        """A statistic for every possible edge, listed or not (see :meth:`DynamicGraph.ranking`)."""
        return self._fitted().ranking()

    @property
    def certificate_(self) -> Certificate:
        """Proof that no step has a cycle."""
        return self._fitted().certificate

    @property
    def record_(self) -> dict[str, Any]:
        """How the graph was found: every parameter, seed, timings, warnings."""
        return self._fitted().record or {}

    @property
    def diagnostics_(self) -> list[dict[str, Any]]:
        """What each check of the residuals found (see :meth:`DynamicGraph.diagnostics`).

        Empty where weights are not linear effects, or the fit had no data but moments.
        """
        return self._fitted().diagnostics()

    @property
    def warnings_(self) -> list[str]:
        """What a user should know of the result."""
        found: list[str] = self.record_.get("warnings", [])
        return found

    def save(self, folder: str | os.PathLike[str], *, force: bool = False, also: Any = ()) -> list[str]:
        """Writes the folder of the run (see :meth:`DynamicGraph.save`)."""
        return self._fitted().save(folder, force=force, also=also)

    @classmethod
    def load(cls: type[Self], folder: str | os.PathLike[str]) -> Self:
        """A fitted estimator from the folder of a run of the same method."""
        graph = DynamicGraph.load(folder)
        record = graph.record or {}
        if record.get("method") != cls.method:
            raise ParameterError(
                f"{os.fspath(folder)} holds a run of `{record.get('method')}`; {cls.__name__} loads "
                f"runs of `{cls.method}` (dycausal.load reads any)",
                name="folder",
                found=str(record.get("method")),
                expected=cls.method,
            )
        loaded = cls()
        loaded.set_params(**record["parameters"], random_state=record["seed"])
        loaded.graph_ = graph
        loaded.feature_names_in_ = np.asarray(graph.names, dtype=object)
        loaded.n_features_in_ = len(graph.names)
        return loaded

    def __sklearn_is_fitted__(self) -> bool:
        return "graph_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        missing = next(m.scope["missing"] for m in methods() if m.name == self.method)
        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(two_d_array=True, three_d_array=True, allow_nan=missing),
            non_deterministic=False,
        )

    def _repr_html_(self) -> str:
        from html import escape

        shown = f"<pre>{escape(repr(self))}</pre>"
        return shown + self.graph_._repr_html_() if "graph_" in self.__dict__ else shown


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's, which JSON knows."""
    return value.item() if isinstance(value, np.generic) else value


def _json(parameters: dict[str, Any]) -> str:
    for name, value in parameters.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ParameterError(
                f"parameter `{name}` is {value!r}; expected a number, a word, or a list of them",
                name=name,
                found=repr(value),
                expected="a number, a word, or a list of them",
            ) from None
    return json.dumps(parameters)


def _seed(random_state: Any) -> int:
    """The seed that a random state stands for; None is a fresh one each time."""
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, (int, np.integer)) and 0 <= int(random_state) < 1 << 64:
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1 << 31))
    raise ParameterError(
        f"parameter `random_state` is {random_state!r}; expected a whole number, 0 or more, a "
        "Generator, or None for a fresh seed",
        name="random_state",
        found=repr(random_state),
        expected="a whole number, 0 or more, a Generator, or None",
    )
