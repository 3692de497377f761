"""Effects that bend: curves of edges, and the methods that find them."""

import numpy as np
import pytest
from dycausal import Additive, Auto, DynamicGraph, Gp


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    x = random.normal(size=(12, 60, 3))
    x[:, :, 1] = 1.5 * np.tanh(2 * x[:, :, 0]) + 0.4 * x[:, :, 1]
    x[:, 1:, 2] = np.minimum(x[:, :-1, 1] ** 2, 4) + 0.4 * x[:, 1:, 2]
    return x


@pytest.mark.parametrize("method", [Additive, Gp])
def test_a_curve_has_values_an_effect_and_a_band(data, method):
    fitted = method(lag=1).fit(data)
    curve = fitted.graph_.edge("x1", "x2").effect()
    assert list(curve.columns) == ["time", "value", "effect", "low", "high"]
    rising = curve[curve["time"] == curve["time"].iloc[0]]
    assert (np.diff(rising["value"]) > 0).all()
    assert rising["effect"].iloc[-1] > 1
    assert rising["effect"].iloc[0] < -1
    assert (curve["low"] <= curve["effect"]).all()
    assert (curve["effect"] <= curve["high"]).all()
    bent = fitted.graph_.edge("x2", "x3", lag=1).effect(frame="dict")
    middle = len(bent["value"]) // 2
    assert bent["effect"][0] > bent["effect"][middle] < bent["effect"][-1]


def test_a_straight_edge_has_no_curve():
    weights = np.zeros((3, 2, 2, 2))
    weights[:, 1, 0, 1] = 0.5
    assert DynamicGraph.from_weights(weights).edge("x1", "x2").effect() is None


def test_the_model_is_taken_that_foretells_best(data):
    fitted = Auto(lag=1).fit(data)
    models = fitted.record_["facts"]["models"]
    assert [line["model"] for line in models] == ["linear", "additive", "gp", "ode", "relax"]
    assert not models[0]["chosen"]
    assert models[1]["gain"] > 100
