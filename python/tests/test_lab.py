"""Simulated data, scores, and a look at data."""

import numpy as np
import pytest
from dycausal import Ordered, errors, inspect, metrics, simulate
from sklearn.metrics import f1_score, roc_auc_score


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads():
    first = simulate.linear(variables=6, series=9, random_state=3, n_jobs=1)
    second = simulate.linear(variables=6, series=9, random_state=3, n_jobs=2)
    assert first.X.tobytes() == second.X.tobytes()
    assert first.truth == second.truth
    assert first.X.shape == (9, 50, 6)
    assert first.spec["seed"] == 3


def test_models_and_words():
    assert simulate.mlp(random_state=1).X.shape == (20, 50, 10)
    assert simulate.lorenz(random_state=1).X.shape == (20, 50, 10)
    assert simulate.kuramoto(random_state=1).X.shape == (20, 50, 10)
    assert len(simulate.hill(random_state=1, variables=6).truth) >= 12
    regimes = simulate.linear(
        variables=4, series=5, dynamics="regimes:20", noise="student-t:4", noise_scale="0.5,1.5"
    )
    assert regimes.spec["simulation"]["dynamics"] == {"regimes": {"switches": [20]}}
    own = simulate.draw({"mlp": {"hidden": 3, "weights": (0.5, 1.0)}}, variables=4)
    assert own.spec["simulation"]["model"]["mlp"]["hidden"] == 3


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"dynamics": "sudden"}, errors.UnknownChoiceError),
        ({"noise": "cauchy"}, errors.UnknownChoiceError),
        ({"variables": 0}, errors.ParameterError),
        ({"variable": 3}, ValueError),
        ({"weights": (3.0, 4.0), "series": 2, "dynamics": "static"}, errors.UnstableError),
    ],
)
def test_what_cannot_be_simulated_is_refused(parameters, error):
    with pytest.raises(error):
        simulate.linear(**parameters)


def test_scores_are_scikit_learns():
    rng = np.random.default_rng(2)
    truth = np.triu(rng.normal(size=(3, 1, 6, 6)) * (rng.random((3, 1, 6, 6)) < 0.5), 1)
    estimate = truth + np.triu(rng.normal(size=truth.shape), 1) * 0.3
    scores = metrics.score(truth, estimate, threshold=0.3)
    off = ~np.eye(6, dtype=bool)
    for t in range(3):
        a, b = np.abs(truth[t, 0][off]) > 0.3, np.abs(estimate[t, 0][off])
        assert scores.all.steps[t].f1 == pytest.approx(f1_score(a, b > 0.3), abs=1e-12)
        assert scores.all.steps[t].auroc == pytest.approx(roc_auc_score(a, b), abs=1e-12)
    assert scores.threshold == 0.3


def test_graphs_estimators_and_arrays_are_scored(made):
    estimator = Ordered().fit(made.X)
    scores = metrics.score(made.truth, estimator)
    assert scores == metrics.score(made.truth, estimator.graph_)
    assert scores == metrics.score(made.truth.to_numpy(), estimator.weights_)
    assert scores.all.average.f1 > 0.9
    still = metrics.score(np.triu(np.ones((5, 5)), 1), estimator)
    assert len(still.all.steps) == 30
    with pytest.raises(errors.ShapeError):
        metrics.score(np.zeros((4, 4)), estimator)
    with pytest.raises(errors.ParameterError):
        metrics.score(made.truth, estimator, threshold=-1)


def test_inspecting_finds_copies_and_constants(made):
    X = np.concatenate([made.X[:, :, :2], 2 * made.X[:, :, :1], np.ones_like(made.X[:, :, :1])], axis=2)
    found = inspect.inspect(X)
    levels = {finding.level for finding in found.findings}
    assert "obstacle" in levels
    assert any("copy of" in finding.text for finding in found.findings)
    assert found.columns[3].constant
    assert found.rows == 60 * 29
    assert "obstacle: variable `x4` is constant" in str(found)


def test_varsortability_of_a_chain():
    rng = np.random.default_rng(0)
    X = np.cumsum(rng.normal(size=(500, 3)), axis=1)
    chain = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert inspect.varsortability(X, chain) == 1.0
    assert inspect.varsortability(X[:, ::-1], chain) == 0.0
    assert inspect.varsortability(X, np.zeros((3, 3))) is None
