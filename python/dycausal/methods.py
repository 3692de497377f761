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
    lag : int | str, default "auto"
        Longest lag: 0 or more, or auto: by score.
    movement : str, default "average"
        How weights move: each edge in its own way, or along one basis: average, legendre, hat, b_spline,
        step or constant.
    basis_size : int | str, default "auto"
        Functions of time in the search: 1 to 16, or auto: by score.
    non_gaussian : bool, default True
        Whether the shape of the noise counts: true or false.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default "auto"
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    series_effects : str, default "auto"
        What differs between series and is taken out: auto, none, levels, scales or both.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    bands : bool, default True
        Whether edges get bands: true or false.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
    threshold : float, default 0.0
        Weight that an edge has to exceed to be certain: 0 or more.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
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
        self.resamples = resamples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Reordered(Estimator):
    """A causal order that changes: as ordered, in stretches of time.

    Finds instantaneous and lagged edges; weights move. Gives bands or p-values. Takes missing cells.
    Honours what is known.

    Parameters
    ----------
    changes : int | str, default "auto"
        How often the order changes: 1 or more, or auto: by score.
    lag : int | str, default "auto"
        Longest lag: 0 or more, or auto: by score.
    non_gaussian : bool, default True
        Whether the shape of the noise counts: true or false.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default "auto"
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    series_effects : str, default "auto"
        What differs between series and is taken out: auto, none, levels, scales or both.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    bands : bool, default True
        Whether edges get bands: true or false.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "reordered"

    def __init__(
        self,
        *,
        changes: int | str = "auto",
        lag: int | str = "auto",
        non_gaussian: bool = True,
        alpha: float = 0.05,
        season: int | str = "auto",
        breaks: bool = True,
        series_effects: str = "auto",
        missing: str = "fill",
        bands: bool = True,
        level: float = 0.95,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.changes = changes
        self.lag = lag
        self.non_gaussian = non_gaussian
        self.alpha = alpha
        self.season = season
        self.breaks = breaks
        self.series_effects = series_effects
        self.missing = missing
        self.bands = bands
        self.level = level
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Additive(Estimator):
    """Effects that bend, add up and move in time, on the same order search.

    Finds instantaneous and lagged edges; weights move. Gives bands or p-values. Takes missing cells.
    Honours what is known.

    Parameters
    ----------
    lag : int | str, default "auto"
        Longest lag: 0 or more, or auto: by score.
    functions : int | str, default "auto"
        Functions of each cause: 1 to 20, 1 is a straight line; or auto: by score.
    basis_size : int | str, default "auto"
        Functions of time; 1 for effects that stay: 1 to 16, or auto: by score.
    non_gaussian : bool, default True
        Whether the shape of the noise counts: true or false.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default "auto"
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "additive"

    def __init__(
        self,
        *,
        lag: int | str = "auto",
        functions: int | str = "auto",
        basis_size: int | str = "auto",
        non_gaussian: bool = True,
        alpha: float = 0.05,
        season: int | str = "auto",
        breaks: bool = True,
        missing: str = "fill",
        level: float = 0.95,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.functions = functions
        self.basis_size = basis_size
        self.non_gaussian = non_gaussian
        self.alpha = alpha
        self.season = season
        self.breaks = breaks
        self.missing = missing
        self.level = level
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Gp(Estimator):
    """Effects of any shape, by Gaussian processes on the same order search.

    Finds instantaneous and lagged edges; weights stay. Gives bands or p-values. Takes missing cells.
    Honours what is known.

    Parameters
    ----------
    lag : int | str, default "auto"
        Longest lag: 0 or more, or auto: by score.
    covariance : str, default "auto"
        How functions may bend: auto, additive, sums, arcsine, smooth, rough or linear_and_smooth.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default "auto"
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "gp"

    def __init__(
        self,
        *,
        lag: int | str = "auto",
        covariance: str = "auto",
        alpha: float = 0.05,
        season: int | str = "auto",
        breaks: bool = True,
        missing: str = "fill",
        level: float = 0.95,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.covariance = covariance
        self.alpha = alpha
        self.season = season
        self.breaks = breaks
        self.missing = missing
        self.level = level
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Ode(Estimator):
    """Differential equations by derivative regression, libraries and schemes by score; lagged edges only.

    Finds lagged edges; weights move. Gives bands or p-values. Takes missing cells. Honours what is known.

    Parameters
    ----------
    library : str, default "auto"
        Terms of right-hand sides: auto: by score, linear, quadratic, cubic, sines or hill.
    scheme : str, default "auto"
        How they are averaged over a step: auto: by score, forward, trapezium, four_point or smoothed.
    functions : int | str, default "auto"
        Functions of time that a coefficient has; 1: it stays: 1 to 6, or auto: by score.
    interval : float, default 0.0
        Time between two steps; 0: that of the times where they are numbers, else 1: 0 or more.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what was selected.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "ode"

    def __init__(
        self,
        *,
        library: str = "auto",
        scheme: str = "auto",
        functions: int | str = "auto",
        interval: float = 0.0,
        alpha: float = 0.05,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.library = library
        self.scheme = scheme
        self.functions = functions
        self.interval = interval
        self.alpha = alpha
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Relax(Estimator):
    """Integral form of linear dynamics, for short trajectories that come to rest; lagged edges only.

    Finds lagged edges; weights stay. Gives bands or p-values. Needs every cell. Honours what is known.

    Parameters
    ----------
    horizon : int | str, default "auto"
        Steps that are used; auto: until trajectories no longer differ: at least 3, or auto.
    causes : int, default 5
        Most causes of a variable: at least 1.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what was selected.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "relax"

    def __init__(
        self,
        *,
        horizon: int | str = "auto",
        causes: int = 5,
        alpha: float = 0.05,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.horizon = horizon
        self.causes = causes
        self.alpha = alpha
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Auto(Estimator):
    """Linear, additive, any shape, ode or relax: the model that foretells unseen rows best.

    Finds instantaneous and lagged edges; weights move. Gives bands or p-values. Takes missing cells.
    Honours what is known.

    Parameters
    ----------
    lag : int | str, default "auto"
        Longest lag: 0 or more, or auto: by score.
    alpha : float, default 0.05
        False discovery rate of the edges that are listed: above 0, at most 1; 1 lists what the score
        selects.
    season : int | str, default "auto"
        Steps after which a pattern repeats that is taken out: 3 or more, none, or auto: by score and
        calendar.
    breaks : bool, default True
        Whether jumps of the mean are looked for and taken out: true or false.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    level : float, default 0.95
        How often a band holds the truth: between 0 and 1.
    most : int, default 60
        Variables up to which functions of any shape and differential equations are tried: 0 or more.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "auto"

    def __init__(
        self,
        *,
        lag: int | str = "auto",
        alpha: float = 0.05,
        season: int | str = "auto",
        breaks: bool = True,
        missing: str = "fill",
        level: float = 0.95,
        most: int = 60,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.alpha = alpha
        self.season = season
        self.breaks = breaks
        self.missing = missing
        self.level = level
        self.most = most
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
    model : str, default "linear"
        What reconstructs the series: linear, mlp or ode.
    encoder : str, default "convolution"
        Where the weights at the knots come from: convolution or free.
    window : int, default 2
        Steps that share one matrix (K): at least 1; 0: all steps.
    spacing : int, default 4
        Steps from knot to knot (S): at least 1.
    interpolate : bool, default True
        Whether steps between knots take part: true or false.
    ends : str, default "shifted"
        What becomes of windows that the end of the series cuts: moved back, or left out: shifted or
        dropped.
    centre : bool, default True
        Whether values are counted from each variable's mean: true or false.
    balance : bool, default True
        Whether steps with large values count as the median one, and linear series that explode get four
        times the iterations (`convolution`): true or false.
    units : int, default 10
        Hidden units per effect in `mlp` and `ode` (m): at least 1.
    bias : bool, default True
        Whether hidden units of `mlp` and `ode` have a constant of their own: true or false.
    hidden : int, default 32
        Hidden layer of the decoder's networks: 1 or more; 0: none.
    reach : float, default 10.0
        How far a step may move the encoder's state, in units of rate: above 0; 0: any distance.
    acyclic : str, default "knot"
        What has to be acyclic as one: knot, step, pair or union.
    constraint : str, default "norm-log-det"
        Measure of cyclicity: norm-log-det, norm-log-det-full, log-det, trace-exp, polynomial or spectral-
        radius.
    alpha : float, default 1.001
        Constant of the log-determinants: above 1.
    penalty : str, default "lasso"
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
    restart : bool, default True
        Whether Adam's means begin anew at each stage: true or false.
    stages : int, default 4
        Stages of the central path (r): at least 1.
    iterations : int, default 1500
        Most steps per stage: at least 1.
    tolerance : float, default 0.0
        Relative gain per 100 steps below which a stage ends; 0 never: 0 or more.
    threshold : float, default 0.3
        Weight above which there is an edge (delta): 0 or more.
    missing : str, default "fill"
        What is done about missing cells: fill (from the cells around them) or complete_rows.
    rolling : bool, default False
        Whether changes add up from the reconstructed step before in `ode`, as Eq. 11 has it: true or
        false; only with ends = dropped and a window.
    unit_changes : bool, default True
        Whether changes in `ode` are divided by their root mean square: true or false.
    importance : str, default "norm"
        Weight of an edge in `mlp` and `ode`: norm, derivative or likelihood (`mlp`, or `linear` with one
        matrix).
    preset : str, default "ours"
        `paper` takes the choices of the paper's text where ours differ (docs/methods/dycausal.md): ours
        or paper.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
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
        ends: str = "shifted",
        centre: bool = True,
        balance: bool = True,
        units: int = 10,
        bias: bool = True,
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
        restart: bool = True,
        stages: int = 4,
        iterations: int = 1500,
        tolerance: float = 0.0,
        threshold: float = 0.3,
        missing: str = "fill",
        rolling: bool = False,
        unit_changes: bool = True,
        importance: str = "norm",
        preset: str = "ours",
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
        self.ends = ends
        self.centre = centre
        self.balance = balance
        self.units = units
        self.bias = bias
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
        self.restart = restart
        self.stages = stages
        self.iterations = iterations
        self.tolerance = tolerance
        self.threshold = threshold
        self.missing = missing
        self.rolling = rolling
        self.unit_changes = unit_changes
        self.importance = importance
        self.preset = preset
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
    missing : str, default "fill"
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
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


class Pcmci(Estimator):
    """Tests of every link given the causes of both ends (PCMCI); weights that stay.

    Finds instantaneous and lagged edges; weights stay. Gives bands or p-values. Takes missing cells.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: at least 1.
    instantaneous : bool, default True
        Whether links within a step are tested; they have no direction: true or false.
    test : str, default "parcorr"
        Test of conditional independence: of values, or of normal scores of their ranks: parcorr or
        robust_parcorr.
    pc_alpha : float, default 0.05
        Level at which the first phase drops candidates: 0 to 1.
    alpha : float, default 0.05
        Level at which a link counts: 0 to 1.
    fdr : str, default "none"
        Control over all lagged links (Benjamini and Hochberg): none or bh.
    max_conditions : int | str, default "auto"
        Most conditions at once; auto: as many as there are: 0 or more, or auto.
    max_combinations : int, default 1
        Most sets of conditions of one size that the first phase tries: at least 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "pcmci"

    def __init__(
        self,
        *,
        lag: int = 1,
        instantaneous: bool = True,
        test: str = "parcorr",
        pc_alpha: float = 0.05,
        alpha: float = 0.05,
        fdr: str = "none",
        max_conditions: int | str = "auto",
        max_combinations: int = 1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.instantaneous = instantaneous
        self.test = test
        self.pc_alpha = pc_alpha
        self.alpha = alpha
        self.fdr = fdr
        self.max_conditions = max_conditions
        self.max_combinations = max_combinations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class PcmciPlus(Estimator):
    """PCMCI with directions within a step as far as tests tell (PCMCI+); weights that stay.

    Finds instantaneous and lagged edges; weights stay. Gives bands or p-values. Takes missing cells.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: at least 1.
    test : str, default "parcorr"
        Test of conditional independence: of values, or of normal scores of their ranks: parcorr or
        robust_parcorr.
    pc_alpha : float, default 0.01
        Level of all tests: 0 to 1.
    collider_rule : str, default "majority"
        How two causes of one variable are told from a chain: majority, conservative or none.
    conflicts : bool, default True
        Whether links that are directed both ways are marked; else the first counts: true or false.
    max_conditions : int | str, default "auto"
        Most conditions at once; auto: as many as there are: 0 or more, or auto.
    max_combinations : int, default 1
        Most sets of conditions of one size that the first phase tries: at least 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "pcmci-plus"

    def __init__(
        self,
        *,
        lag: int = 1,
        test: str = "parcorr",
        pc_alpha: float = 0.01,
        collider_rule: str = "majority",
        conflicts: bool = True,
        max_conditions: int | str = "auto",
        max_combinations: int = 1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.test = test
        self.pc_alpha = pc_alpha
        self.collider_rule = collider_rule
        self.conflicts = conflicts
        self.max_conditions = max_conditions
        self.max_combinations = max_combinations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Granger(Estimator):
    """Vector autoregression with Granger's tests; lagged edges only, weights that stay.

    Finds lagged edges; weights stay. Gives bands or p-values. Takes missing cells.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: at least 1.
    coefficients : str, default "ols"
        How weights are estimated; tests are of least squares: ols, ridge or lasso.
    ridge : float, default 0.01
        Shrinkage of ridge, relative to the variance of each regressor: above 0.
    statistic : str, default "wald"
        Covariance of the test: one noise variance, or one for each row (HC3): wald or robust.
    alpha : float, default 0.05
        Level at which a pair counts: 0 to 1.
    fdr : str, default "bh"
        Control over all pairs (Benjamini and Hochberg): none or bh.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "granger"

    def __init__(
        self,
        *,
        lag: int = 1,
        coefficients: str = "ols",
        ridge: float = 0.01,
        statistic: str = "wald",
        alpha: float = 0.05,
        fdr: str = "bh",
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.coefficients = coefficients
        self.ridge = ridge
        self.statistic = statistic
        self.alpha = alpha
        self.fdr = fdr
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class VarLingam(Estimator):
    """Autoregression, then the order within a step from noise that is not Gaussian; weights that stay.

    Finds instantaneous and lagged edges; weights stay. Takes missing cells.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: at least 1.
    criterion : str, default "bic"
        How the number of lags is chosen; none: all of them: bic, aic, hqic or none.
    prune : bool, default True
        Whether an adaptive lasso leaves weights out: true or false.
    threshold : float, default 0.0
        Absolute weight up to which there is no edge: 0 or more.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "var-lingam"

    def __init__(
        self,
        *,
        lag: int = 1,
        criterion: str = "bic",
        prune: bool = True,
        threshold: float = 0.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.criterion = criterion
        self.prune = prune
        self.threshold = threshold
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Dagma(Estimator):
    """Least squares with a log-determinant constraint over variables and lags (DAGMA); weights that stay,
    depends on units.

    Finds instantaneous and lagged edges; weights stay. Takes missing cells. Honours what is known.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: 0 or more.
    sparsity : float, default 0.03
        Penalty on weights: 0 or more.
    threshold : float, default 0.3
        Absolute weight up to which there is no edge: 0 or more.
    stages : int, default 5
        Stages of the central path: at least 1.
    mu : float, default 1.0
        Weight of the loss at first: above 0.
    decay : float, default 0.1
        What `mu` is multiplied with after each stage: above 0, at most 1.
    domain : Any, default (1.0, 0.9, 0.8, 0.7, 0.6)
        Bound on squared weights of each stage: a list of numbers above 0.
    rate : float, default 0.0003
        Length of Adam's steps: above 0.
    warm_iterations : int, default 30000
        Most steps of each stage but the last: at least 1.
    iterations : int, default 60000
        Most steps of the last stage: at least 1.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "dagma"

    def __init__(
        self,
        *,
        lag: int = 1,
        sparsity: float = 0.03,
        threshold: float = 0.3,
        stages: int = 5,
        mu: float = 1.0,
        decay: float = 0.1,
        domain: Any = (1.0, 0.9, 0.8, 0.7, 0.6),
        rate: float = 0.0003,
        warm_iterations: int = 30000,
        iterations: int = 60000,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.sparsity = sparsity
        self.threshold = threshold
        self.stages = stages
        self.mu = mu
        self.decay = decay
        self.domain = domain
        self.rate = rate
        self.warm_iterations = warm_iterations
        self.iterations = iterations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Dynotears(Estimator):
    """Least squares with a trace-exponential constraint, by an augmented Lagrangian (DYNOTEARS); weights
    that stay, depends on units.

    Finds instantaneous and lagged edges; weights stay. Takes missing cells. Honours what is known.

    Parameters
    ----------
    lag : int, default 1
        Longest lag: 0 or more.
    lambda_w : float, default 0.1
        Penalty on weights within a step: 0 or more.
    lambda_a : float, default 0.1
        Penalty on weights of lags: 0 or more.
    threshold : float, default 0.1
        Absolute weight up to which there is no edge: 0 or more.
    iterations : int, default 100
        Most rounds of the augmented Lagrangian: at least 1.
    tolerance : float, default 1e-08
        Cyclicity at which it ends: above 0.
    tabu : Any, default ()
        Edges that cannot be: a list of [cause, effect, lag], variables by name.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "dynotears"

    def __init__(
        self,
        *,
        lag: int = 1,
        lambda_w: float = 0.1,
        lambda_a: float = 0.1,
        threshold: float = 0.1,
        iterations: int = 100,
        tolerance: float = 1e-08,
        tabu: Any = (),
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.lag = lag
        self.lambda_w = lambda_w
        self.lambda_a = lambda_a
        self.threshold = threshold
        self.iterations = iterations
        self.tolerance = tolerance
        self.tabu = tabu
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Windowed(Estimator):
    """Any other method (`inner`) in windows that slide over time: a graph that moves by jumps.

    Finds instantaneous and lagged edges; weights move. Takes missing cells.

    Parameters
    ----------
    inner : str, default "pcmci-plus"
        The method: the name of any other method.
    inner_set : Any, default None
        Its parameters: a table of its parameters but `lag`.
    lag : int, default 1
        Longest lag: as the inner method has it.
    window : int, default 40
        Steps of a window: at least lag + 3.
    stride : int | str, default "auto"
        Steps from one window to the next; auto: a quarter of the window: at least 1, or auto.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "windowed"

    def __init__(
        self,
        *,
        inner: str = "pcmci-plus",
        inner_set: Any = None,
        lag: int = 1,
        window: int = 40,
        stride: int | str = "auto",
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.inner = inner
        self.inner_set = inner_set
        self.lag = lag
        self.window = window
        self.stride = stride
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


class Pooled(Estimator):
    """Any other method (`inner`) on all rows, as one graph for all steps.

    Finds instantaneous and lagged edges; weights stay. Takes missing cells.

    Parameters
    ----------
    inner : str, default "ordered"
        The method: the name of any other method.
    inner_set : Any, default None
        Its parameters: a table of its parameters but `lag`.
    lag : int, default 1
        Longest lag: as the inner method has it.
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
    edges_, trajectories_ : DataFrame, or dict of arrays without pandas
        A row per edge; a row per edge and time.
    certificate_ : Certificate
        Proof that no step has a cycle.
    feature_names_in_ : array of str
    n_features_in_ : int
    warnings_ : list of str
    record_ : dict
        Every parameter, seed, timings.
    """

    method = "pooled"

    def __init__(
        self,
        *,
        inner: str = "ordered",
        inner_set: Any = None,
        lag: int = 1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        progress: Progress = "auto",
        knowledge: Knowledge | None = None,
        prepare: Sequence[str] | str | None = None,
    ) -> None:
        self.inner = inner
        self.inner_set = inner_set
        self.lag = lag
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.knowledge = knowledge
        self.prepare = prepare


__all__ = [
    "Ordered",
    "Reordered",
    "Additive",
    "Gp",
    "Ode",
    "Relax",
    "Auto",
    "DyCausal",
    "LaggedLeastSquares",
    "Pcmci",
    "PcmciPlus",
    "Granger",
    "VarLingam",
    "Dagma",
    "Dynotears",
    "Windowed",
    "Pooled",
]
