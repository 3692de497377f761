"""Estimators in scikit-learn's manner."""

import pickle
import warnings

import dycausal
import joblib
import numpy as np
import pandas as pd
import pytest
from dycausal import DyCausal, LaggedLeastSquares, Ordered, errors, methods, metrics
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.utils.estimator_checks import estimator_checks_generator


def test_parameters_are_kept_as_given_and_set_by_name():
    estimator = Ordered(lag=2, level=0.9)
    assert estimator.get_params()["lag"] == 2
    assert estimator.set_params(lag=3) is estimator
    assert repr(estimator) == "Ordered(lag=3, level=0.9)"
    assert repr(Ordered()) == "Ordered()"
    with pytest.raises(ValueError, match="Invalid parameter 'lagg'"):
        estimator.set_params(lagg=1)
    with pytest.raises(TypeError):
        Ordered(lagg=1)


def test_a_clone_is_unfitted_and_has_the_same_parameters(made):
    fitted = Ordered(lag=1, random_state=4).fit(made.X)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "graph_")
    assert copy.fit(made.X).graph_ == fitted.graph_


def test_fitted_attributes(made):
    frame = pd.DataFrame(made.X[0], columns=list("abcde"))
    estimator = LaggedLeastSquares().fit(
        [frame] + [pd.DataFrame(x, columns=list("abcde")) for x in made.X[1:]]
    )
    assert estimator.feature_names_in_.tolist() == list("abcde")
    assert estimator.n_features_in_ == 5
    assert estimator.weights_.shape == (30, 2, 5, 5)
    assert list(estimator.edges_.columns[:5]) == ["source", "target", "lag", "strongest", "mean"]
    assert list(estimator.trajectories_.columns[:5]) == ["source", "target", "lag", "time", "weight"]
    assert set(estimator.edges_["source"]) <= set("abcde")
    assert estimator.certificate_.acyclic
    assert estimator.record_["method"] == "lagged-least-squares"
    assert estimator.warnings_ == estimator.record_["warnings"]


def test_residuals_are_checked(made, single):
    estimator = Ordered().fit(made.X)
    found = estimator.diagnostics_
    assert {"explained", "held out", "whiteness", "variance", "tails", "dependence"} <= {
        f["check"] for f in found
    }
    assert all(f["verdict"] in ("fine", "doubtful", "bad") and f["words"] for f in found)
    assert estimator.graph_.diagnostics(made.X) == found
    assert estimator.record_["diagnostics"]["summary"]
    pd.DataFrame(found)
    # A graph of the wrong sign is worse than none, and says so.
    wrong = dycausal.DynamicGraph.from_weights(-estimator.weights_, names=estimator.graph_.names)
    said = [f["words"] for f in wrong.diagnostics(made.X) if f["verdict"] == "bad"]
    assert any("worse than its mean" in words for words in said)
    with pytest.raises(errors.ShapeError):
        wrong.diagnostics(made.X[:, :-1])
    wave = np.column_stack([np.sin(0.7 * np.arange(600)) + 0.2 * single[:, 0], single[:, 1]])
    with pytest.warns(dycausal.errors.DycausalWarning, match="the lag too short"):
        LaggedLeastSquares(window=600).fit(wave)
    # The wave is a matter of the variable's own past, which the default takes into account.
    with warnings.catch_warnings():
        warnings.simplefilter("error", dycausal.errors.DycausalWarning)
        Ordered().fit(wave)


def test_before_a_fit_there_is_nothing_to_see():
    with pytest.raises(dycausal.NotFittedError, match="not fitted yet"):
        Ordered().weights_  # noqa: B018
    with pytest.raises(AttributeError):
        Ordered().graph_  # noqa: B018


def test_fitting_twice_gives_the_second_answer_alone(made):
    estimator = Ordered()
    first = estimator.fit(made.X).weights_
    estimator.fit(made.X[:30] * 3.0)
    assert estimator.fit(made.X).weights_.tobytes() == first.tobytes()


def test_a_whole_fit_is_pickled_without_pickling_rust(made):
    estimator = Ordered().fit(made.X)
    again = pickle.loads(pickle.dumps(estimator))
    assert again.graph_ == estimator.graph_
    assert again.weights_.tobytes() == estimator.weights_.tobytes()
    assert again.record_ == estimator.record_


@pytest.mark.parametrize("prefer", ["processes", "threads"])
def test_joblib_runs_fits_side_by_side(made, prefer):
    estimators = [Ordered(lag=lag, n_jobs=1) for lag in (0, 1, 2)]
    done = joblib.Parallel(n_jobs=2, prefer=prefer)(joblib.delayed(e.fit)(made.X) for e in estimators)
    for estimator, other in zip(estimators, done):
        assert clone(estimator).fit(made.X).graph_ == other.graph_


def test_a_grid_is_searched_over_series(made):
    def score(estimator, X, y=None):
        return metrics.score(made.truth, estimator.graph_, threshold=0.2).all.average.f1

    splits = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    search = GridSearchCV(
        LaggedLeastSquares(n_jobs=1), {"ridge": [0.01, 0.1], "window": [1, 3]}, scoring=score, cv=splits
    )
    search.fit(made.X)
    assert search.best_params_ in list(ParameterGrid({"ridge": [0.01, 0.1], "window": [1, 3]}))
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize(
    ("parameters", "error", "name"),
    [
        ({"level": 2.0}, errors.ParameterError, "level"),
        ({"lag": -1}, errors.ParameterError, "lag"),
        ({"lag": "one"}, errors.ParameterError, "lag"),
        ({"movement": "wavelet"}, errors.ParameterError, "movement"),
        ({"level": float("nan")}, errors.ParameterError, "level"),
        ({"lag": object()}, errors.ParameterError, "lag"),
        ({"random_state": -1}, errors.ParameterError, "random_state"),
        ({"random_state": "zero"}, errors.ParameterError, "random_state"),
        ({"n_jobs": 0}, errors.ParameterError, "n_jobs"),
    ],
)
def test_parameters_out_of_range_are_named(parameters, error, name, made):
    with pytest.raises(error) as raised:
        Ordered(**parameters).fit(made.X)
    assert raised.value.name == name
    assert isinstance(raised.value, ValueError)


def test_numpys_numbers_are_numbers(made):
    estimator = Ordered(lag=np.int64(1), level=np.float64(0.9), random_state=np.int32(3), n_jobs=np.int64(1))
    assert estimator.fit(made.X).graph_.lag == 1


@pytest.mark.filterwarnings("ignore::dycausal.DycausalWarning")
def test_random_states(made):
    def seed(random_state):
        quick = DyCausal(iterations=5, stages=1, threshold=0.0, random_state=random_state)
        return quick.fit(made.X).record_["seed"]

    assert seed(None) != seed(None)
    assert seed(np.random.default_rng(1)) == seed(np.random.default_rng(1))
    assert seed(np.random.RandomState(1)) == seed(np.random.RandomState(1))
    assert seed(2**64 - 1) == 2**64 - 1


def test_what_the_method_warns_of_is_a_warning(made):
    with pytest.warns(dycausal.DycausalWarning, match="copy of"):
        Ordered().fit(np.concatenate([made.X, 2 * made.X[:, :, :1]], axis=2))


def test_a_run_is_saved_and_loaded(made, tmp_path):
    estimator = Ordered(lag=1, level=0.9, random_state=7).fit(made.X)
    files = estimator.save(tmp_path / "run", also=["parquet", "graphml"])
    assert "edges.parquet" in files
    again = Ordered.load(tmp_path / "run")
    assert again.graph_ == estimator.graph_
    assert (again.level, again.random_state) == (0.9, 7)
    assert again.n_features_in_ == 5
    with pytest.raises(errors.ParameterError, match="run of `ordered`"):
        LaggedLeastSquares.load(tmp_path / "run")
    with pytest.raises(errors.ExistsError) as raised:
        estimator.save(tmp_path / "run")
    assert isinstance(raised.value, FileExistsError)
    estimator.save(tmp_path / "run", force=True)


def test_methods_by_name():
    assert isinstance(dycausal.method("ordered", lag=2), Ordered)
    with pytest.raises(errors.UnknownMethodError, match="there is no method"):
        dycausal.method("orderd")


#: What scikit-learn asks of predictors and of independent rows, and a learner of graphs is neither.
NOT_RELEVANT = {
    "check_fit2d_1sample": "one row is one step, and the message speaks of steps, not of samples",
}

#: Checks with so few rows that a method rightly refuses them.
TOO_FEW_ROWS = {
    "Ode": {
        "check_n_features_in_after_fitting",
        "check_estimators_pickle",
        "check_fit2d_1feature",
    },
}


#: Few rows are enough for the checks.
QUICK = {"DyCausal": {"iterations": 3, "stages": 1}, "LaggedLeastSquares": {"window": 50}}


def checks():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in methods.__all__:
            estimator = getattr(methods, name)(**QUICK.get(name, {}))
            yield from estimator_checks_generator(estimator, legacy=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "check"),
    list(checks()),
    ids=lambda x: getattr(getattr(x, "func", x), "__name__", type(x).__name__),
)
def test_scikit_learns_own_checks(estimator, check):
    name = check.func.__name__
    if name in NOT_RELEVANT:
        pytest.skip(NOT_RELEVANT[name])
    if name in TOO_FEW_ROWS.get(type(estimator).__name__, ()):
        with pytest.raises(errors.NumericalError, match="rows"):
            check(estimator)
        return
    check(estimator)
