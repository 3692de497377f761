"""The methods, one estimator each.

Written by scripts/write_estimators from the registry of methods: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dycausal.estimator import Estimator
from dycausal.knowledge import Knowledge
from dycausal.progress import Progress


class Ordered(Estimator):
    """Causal order by a scale-free score, sparse regressions in it.

    Finds instantaneous and lagged edges; weights move. Gives bands or p-values. Takes missing cells.
    Honours what is known.

    Parameters
    ----------
    lag : int | str, default 'auto'
        Longest lag: 0 or more, or auto: by score.
    movement : str, default 'average'
        How weights move: each edge in its own way, or along one basis: average, legendre, hat, b_spline,
        step or constant.
    basis_size : int | str, default 'auto'
        Functions of time in the search: 1 to 16, or auto: by score.
    non_gaussian : bool, default True
        Whether the shape of the noise counts: true or false.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default 'auto'
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    series_effects : str, default 'auto'
        What differs between series and is taken out: auto, none, levels, scales or both.
    missing : str, default 'fill'
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    bands : bool, default True
        Whether edges get bands: true or false.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
    threshold : float, default 0.0
        Weight that an edge has to exceed to be certain: 0 or more.
    order_changes : int, default 0
        How often the order changes: none, a number, or auto: by score.
    resamples : int, default 0
        Halves of the data in which edges are sought again: 0 or more.
    random_state : int, Generator or None, default 0
        The seed; None is a fresh one at every fit.
    n_jobs : int or None, default None
        Threads; None or -1 for all cores. The result does not depend on it.
    progress : bool, "auto" or callable, default "auto"
        Whether to show a bar; or a function of stage, done, total and note.
    knowledge : Knowledge or None, default None
        What is known of the graph.
    prepare : list of str or None, default None
        What is done to columns first, in order: log, difference, difference(12), detrend, deseason(7),
        clip(4), rank, standardise; of all columns, or as in log:sales.

    Attributes
    ----------
    graph_ : DynamicGraph
        The graph that was learned.
    weights_ : array [time, lag, from, to]
    edges_ : DataFrame, or dict of arrays without pandas
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "ordered"

    def __init__(
        self,
        *,
        lag: int | str = "auto",
        movement: str = "average",
        basis_size: int | str = "auto",
        non_gaussian: bool = True,
        alpha: float = 0.05,
        season: int | str = "auto",
        breaks: bool = True,
        series_effects: str = "auto",
        missing: str = "fill",
        bands: bool = True,
        level: float = 0.95,
        threshold: float = 0.0,
        order_changes: int = 0,
        resamples: int = 0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.movement = movement
        self.basis_size = basis_size
        self.non_gaussian = non_gaussian
        self.alpha = alpha
        self.season = season
        self.breaks = breaks
        self.series_effects = series_effects
        self.missing = missing
        self.bands = bands
        self.level = level
        self.threshold = threshold
        self.order_changes = order_changes
        self.resamples = resamples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class DyCausal(Estimator):
    """The published coarse-to-fine method: knots, interpolation, acyclicity by a log-determinant.

    Finds instantaneous and lagged edges; weights move. Needs every cell. Honours what is known.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: 0 or more; at least 1 for `ode`.
    model : str, default 'linear'
        What reconstructs the series: linear, mlp or ode.
    encoder : str, default 'convolution'
        Where the weights at the knots come from: convolution or free.
    window : int, default 2
        Steps that share one matrix (K): at least 1; 0: all steps.
    spacing : int, default 4
        Steps from knot to knot (S): at least 1.
    interpolate : bool, default True
        Whether steps between knots take part: true or false.
    balance : bool, default True
        Whether steps with large values count as the median one (`convolution`): true or false.
    units : int, default 10
        Hidden units per effect in `mlp` and `ode` (m): at least 1.
    hidden : int, default 32
        Hidden layer of the decoder's networks: at least 1.
    reach : float, default 10.0
        How far a step may move the encoder's state, in units of rate: above 0.
    acyclic : str, default 'knot'
        What has to be acyclic as one: knot, pair or union.
    constraint : str, default 'norm-log-det'
        Measure of cyclicity: norm-log-det, norm-log-det-full, log-det, trace-exp, polynomial or spectral-
        radius.
    alpha : float, default 1.001
        Constant of the log-determinants: above 1.
    penalty : str, default 'lasso'
        How sparsity is asked for: lasso, or group with the free encoder.
    sparsity : float, default 0.05
        Weight of the penalty (beta): 0 or more.
    ridge : float, default 0.0
        Weight of the squares of the second layer in `mlp` and `ode`: 0 or more; 0 with linear.
    rate : float, default 0.005
        Length of Adam's steps: above 0.
    mu : float, default 1.0
        Weight of the loss in the first stage: above 0.
    decay : float, default 0.1
        What mu is multiplied with after each stage (gamma): above 0, at most 1.
    stages : int, default 4
        Stages of the central path (r): at least 1.
    iterations : int, default 1500
        Most steps per stage: at least 1.
    tolerance : float, default 0.0
        Relative gain per 100 steps below which a stage ends; 0 never: 0 or more.
    threshold : float, default 0.3
        Weight above which there is an edge (delta): 0 or more.
    missing : str, default 'fill'
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    difference : str, default 'forward'
        How change is read off the steps in `ode`: forward or central.
    importance : str, default 'norm'
        Weight of an edge in `mlp` and `ode`: norm or derivative.
    precision : str, default 'single'
        Numbers inside the optimiser: single or double.
    random_state : int, Generator or None, default 0
        The seed; None is a fresh one at every fit.
    n_jobs : int or None, default None
        Threads; None or -1 for all cores. The result does not depend on it.
    progress : bool, "auto" or callable, default "auto"
        Whether to show a bar; or a function of stage, done, total and note.
    knowledge : Knowledge or None, default None
        What is known of the graph.
    prepare : list of str or None, default None
        What is done to columns first, in order: log, difference, difference(12), detrend, deseason(7),
        clip(4), rank, standardise; of all columns, or as in log:sales.

    Attributes
    ----------
    graph_ : DynamicGraph
        The graph that was learned.
    weights_ : array [time, lag, from, to]
    edges_ : DataFrame, or dict of arrays without pandas
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "dycausal"

    def __init__(
        self,
        *,
        lag: int = 1,
        model: str = "linear",
        encoder: str = "convolution",
        window: int = 2,
        spacing: int = 4,
        interpolate: bool = True,
        balance: bool = True,
        units: int = 10,
        hidden: int = 32,
        reach: float = 10.0,
        acyclic: str = "knot",
        constraint: str = "norm-log-det",
        alpha: float = 1.001,
        penalty: str = "lasso",
        sparsity: float = 0.05,
        ridge: float = 0.0,
        rate: float = 0.005,
        mu: float = 1.0,
        decay: float = 0.1,
        stages: int = 4,
        iterations: int = 1500,
        tolerance: float = 0.0,
        threshold: float = 0.3,
        missing: str = "fill",
        difference: str = "forward",
        importance: str = "norm",
        precision: str = "single",
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.model = model
        self.encoder = encoder
        self.window = window
        self.spacing = spacing
        self.interpolate = interpolate
        self.balance = balance
        self.units = units
        self.hidden = hidden
        self.reach = reach
        self.acyclic = acyclic
        self.constraint = constraint
        self.alpha = alpha
        self.penalty = penalty
        self.sparsity = sparsity
        self.ridge = ridge
        self.rate = rate
        self.mu = mu
        self.decay = decay
        self.stages = stages
        self.iterations = iterations
        self.tolerance = tolerance
        self.threshold = threshold
        self.missing = missing
        self.difference = difference
        self.importance = importance
        self.precision = precision
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class LaggedLeastSquares(Estimator):
    """Per-step pooled least squares with a ridge; lagged edges only.

    Finds lagged edges; weights move. Takes missing cells. Honours what is known.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: at least 1.
    window : int, default 2
        Steps on either side that are pooled: 0 or more.
    ridge : float, default 0.01
        Shrinkage, relative to the variance of each regressor: 0 or more.
    missing : str, default 'fill'
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    threshold : float, default 0.1
        Standardised weight above which there is an edge: 0 or more.
    random_state : int, Generator or None, default 0
        The seed; None is a fresh one at every fit.
    n_jobs : int or None, default None
        Threads; None or -1 for all cores. The result does not depend on it.
    progress : bool, "auto" or callable, default "auto"
        Whether to show a bar; or a function of stage, done, total and note.
    knowledge : Knowledge or None, default None
        What is known of the graph.
    prepare : list of str or None, default None
        What is done to columns first, in order: log, difference, difference(12), detrend, deseason(7),
        clip(4), rank, standardise; of all columns, or as in log:sales.

    Attributes
    ----------
    graph_ : DynamicGraph
        The graph that was learned.
    weights_ : array [time, lag, from, to]
    edges_ : DataFrame, or dict of arrays without pandas
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "lagged-least-squares"

    def __init__(
        self,
        *,
        lag: int = 1,
        window: int = 2,
        ridge: float = 0.01,
        missing: str = "fill",
        threshold: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.window = window
        self.ridge = ridge
        self.missing = missing
        self.threshold = threshold
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


__all__ = [
    "Ordered",
    "DyCausal",
    "LaggedLeastSquares",
]
