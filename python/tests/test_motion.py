"""How weights move: one edge, its bands, its motion, and changes that several edges make together."""

import json

import numpy as np
import pandas as pd
import pytest
from dycausal import Change, DynamicGraph, _dycausal

STEPS = 40


def edge(to, kind, changes, course, mean):
    """A mixture of one course, with a standard deviation of 0.1 for every coefficient."""
    factor = (0.1 * np.eye(len(mean))).ravel().tolist()
    component = {"share": 1.0, "course": course, "mean": mean, "factor": factor}
    return {
        "from": 0,
        "to": to,
        "lag": 1,
        "presence": [[0, STEPS]],
        "trajectory": {"mixture": {"span": {"first": 1, "steps": STEPS}, "components": [component]}},
        "motion": {
            "kind": kind,
            "probability": 0.97,
            "shares": [[kind, 0.97], ["static", 0.03]],
            "changes": [{"at": at, "low": at - 2, "high": at + 2} for at in changes],
        },
        "band": {"level": 0.95, "simultaneous": 1.5, "least": 0.01},
        "tests": {"certain": [[22, STEPS]] if to == 1 else []},
    }


def made(times):
    graph = {
        "variables": ["rain", "river", "lake"],
        "lag": 1,
        "times": times,
        "basis": {"shape": {"kind": "constant"}, "steps": STEPS, "first": 0},
        "edges": [
            edge(1, "appears", [20], {"from": 20}, [1.0]),
            edge(2, "jumps", [21], {"jumps": [21]}, [0.2, 0.5]),
        ],
    }
    return DynamicGraph(_dycausal.Graph.from_json(json.dumps(graph)))


@pytest.fixture(scope="module")
def plain():
    return made({"steps": STEPS})


@pytest.fixture(scope="module")
def dated():
    days = pd.date_range("2024-01-01", periods=STEPS)
    seconds = [day.timestamp() for day in days]
    return made({"dates": {"text": [str(day.date()) for day in days], "seconds": seconds}})


def test_weights_and_bands_at_any_time(plain, dated):
    edge = plain.edge("rain", "river")
    assert (edge.at(19), edge.at(20)) == (0.0, pytest.approx(1.0))
    low, high = edge.band(30)
    assert (low, high) == (pytest.approx(1 - 0.196, abs=1e-3), pytest.approx(1 + 0.196, abs=1e-3))
    assert edge.band(30, simultaneous=True)[0] == pytest.approx(1 - 1.5 * (1 - low))
    late = dated.edge("rain", "river", lag=1)
    assert late.at("2024-01-21") == late.at(20) == late.at(step=20) == edge.at(20)
    assert late.at(np.datetime64("2024-01-20")) == 0.0
    with pytest.raises(IndexError):
        edge.at(STEPS)
    with pytest.raises(IndexError):
        late.band(STEPS)
    with pytest.raises(TypeError, match="time is needed"):
        edge.at()
    with pytest.raises(KeyError, match="lags: 1"):
        plain.edge("rain", "river", lag=0)
    with pytest.raises(KeyError, match="no such edge"):
        plain.edge("lake", "rain")


def test_motion_says_what_and_when(plain, dated):
    motion = dated.edge("rain", "river").motion
    assert (motion.kind, motion.probability) == ("appears", 0.97)
    assert motion.shares == {"appears": 0.97, "static": 0.03}
    assert motion.changes == [Change("2024-01-21", "2024-01-19", "2024-01-23")]
    assert str(motion) == "appears at 2024-01-21 ± 2 steps (97 %)"
    assert "_words" not in repr(motion)
    plain_motion = plain.edge("rain", "river").motion
    assert plain_motion.changes == [(20, 18, 22)]
    assert str(plain_motion) == "appears at 20 ± 2 steps (97 %)", "steps count from 0 in Python"


def test_when_an_edge_is_certainly_there(plain, dated):
    assert plain.edge("rain", "river").there == [(22, 39)]
    assert plain.edge("rain", "lake").there == []
    assert dated.edge("rain", "river").there == [("2024-01-23", "2024-02-09")]
    assert plain.overview()["there"].tolist() == ["from 22 to 39", "never certain"]
    assert dated.overview()["there"].tolist()[0] == "from 2024-01-23 to 2024-02-09"
    assert plain.overview(frame="polars")["changes"].to_list()[0] == "at 20 (18 to 22)"


def test_the_path_has_both_bands(plain):
    path = plain.edge("rain", "lake").path()
    assert list(path.columns) == ["time", "weight", "low", "high", "low_path", "high_path"]
    assert (path["low_path"] <= path["low"]).all()
    assert (path["high"] <= path["high_path"]).all()
    assert path["weight"][30] == plain.edge("rain", "lake").at(30)


def test_regimes_are_changes_of_several_edges(plain, dated):
    (regime,) = dated.regimes()
    assert (regime["at"], regime["at_step"]) == ("2024-01-22", 21)
    assert regime["low_step"] <= regime["at_step"] <= regime["high_step"]
    assert regime["edges"] == [("rain", "river", 1), ("rain", "lake", 1)]
    assert plain.regimes()[0]["at"] == plain.regimes()[0]["at_step"]
    assert DynamicGraph.from_weights(np.zeros((2, 1, 2, 2))).regimes() == []


def test_words_and_pictures_know_the_motion(dated, tmp_path):
    text = dated.summary()
    assert "appears at 2024-01-21 ± 2 steps (97 %)" in text
    assert "regime changes at 2024-01-22 (2024-01-20 to 2024-01-23): 2 edges: rain → river" in text
    assert "jumps at 2024-01-22" in dated._repr_html_()
    dated.plot().savefig(tmp_path / "plot.png")
    dated.report(tmp_path / "report.html")
    dated.save(tmp_path / "run")
    assert DynamicGraph.load(tmp_path / "run") == dated


def test_an_edge_says_whether_it_changes():
    weights = np.zeros((3, 2, 2, 2))
    weights[:, 1, 0, 1] = [0.5, 0.7, 0.9]
    weights[:, 1, 1, 1] = [0.5, 0.5, 0.45]
    graph = DynamicGraph.from_weights(weights, names=["rain", "river"])
    assert graph.edge("rain", "river").changing
    assert not graph.edge("river", "river").changing
