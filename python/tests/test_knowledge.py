"""What is known and what is prepared: the same words as on the command line."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from dycausal import Knowledge, LaggedLeastSquares, Ordered, errors, simulate


@pytest.fixture(scope="module")
def made():
    return simulate.linear(variables=5, series=40, steps=20, random_state=3)


def test_it_is_honoured_and_marked(made):
    free = Ordered(lag=1, bands=False).fit(made.X).graph_
    edges = free.overview(frame="dict")
    names = free.names
    source, target, lag = edges["source"][0], edges["target"][0], int(edges["lag"][0])
    known = Knowledge(
        forbid=[(source, target, lag)], require=[(names[4], names[4], 1)], order=[[names[0]], [names[1]]]
    )
    graph = Ordered(lag=1, bands=False, knowledge=known).fit(made.X).graph_
    found = graph.overview(frame="dict")
    listed = list(zip(found["source"], found["target"], found["lag"]))
    assert (source, target, lag) not in listed
    assert (names[4], names[4], 1) in listed
    assert graph.edge(names[4], names[4], 1).given == "edge"
    assert graph.known == known.statements
    assert "given" in found


def test_words_files_and_pickles_are_the_same(made, tmp_path: Path):
    file = tmp_path / "known.toml"
    file.write_text('roots = ["x1"]\n[[forbid]]\nfrom = "x2"\nto = "x*"\n')
    read = Knowledge.read(file)
    said = Knowledge(roots="x1", forbid=[("x2", "x*")])
    assert read.statements == said.statements
    assert pickle.loads(pickle.dumps(said)) == said
    graphs = [Ordered(lag=1, bands=False, knowledge=known).fit(made.X).graph_ for known in (read, said)]
    np.testing.assert_array_equal(graphs[0].to_numpy(), graphs[1].to_numpy())


def test_contradictions_name_the_line(made, tmp_path: Path):
    file = tmp_path / "known.toml"
    file.write_text('roots = ["x1"]\n\n[[require]]\nfrom = "x2"\nto = "x1"\nlag = 1\n')
    with pytest.raises(errors.KnowledgeError) as raised:
        Ordered(lag=1, knowledge=Knowledge.read(file)).fit(made.X)
    assert raised.value.lines == [1, 3]
    with pytest.raises(errors.KnowledgeError, match="did you mean `x5`"):
        Ordered(lag=1, knowledge=Knowledge(roots="x55")).fit(made.X)
    with pytest.raises(errors.KnowledgeError, match="did you mean"):
        Knowledge.read(_written(tmp_path / "other.toml", 'rots = ["x1"]'))


def test_a_method_that_cannot_refuses_by_name(made):
    known = Knowledge(require=[("x1", "x2", 0)])
    with pytest.raises(errors.KnowledgeNotSupportedError, match="lagged-least-squares"):
        LaggedLeastSquares(knowledge=known).fit(made.X)
    period = Knowledge(forbid=[{"from": "x1", "to": "x2", "lag": 1, "since": 3, "until": 6}])
    graph = LaggedLeastSquares(knowledge=period).fit(made.X).graph_
    assert not graph.to_numpy()[2:6, 1, 0, 1].any()
    with pytest.raises(errors.KnowledgeNotSupportedError, match="ordered"):
        Ordered(knowledge=period).fit(made.X)


def test_columns_are_prepared(made):
    frame = {f"v{k}": 3.0 + k + made.X[0, :, k] for k in range(3)}
    frame = {name: np.concatenate([values, values[::-1], values]) for name, values in frame.items()}
    fitted = Ordered(lag=1, bands=False, prepare=["difference:v0", "standardise"]).fit(frame)
    prepared = fitted.graph_.prepared
    assert prepared["steps"] == ["difference:v0", "standardise"]
    assert prepared["columns"][0]["done"][0] == "difference"
    assert fitted.record_["prepare"] == prepared["steps"]
    # The first step, which the difference costs, counted for the others.
    np.testing.assert_allclose(fitted.graph_.scale, 1.0, rtol=0.01)
    with pytest.raises(errors.NotPositiveError) as raised:
        Ordered(prepare="log:v0").fit(
            {"v0": np.arange(30.0) - 5, "v1": np.random.default_rng(1).normal(size=30)}
        )
    assert (raised.value.variable, raised.value.step) == ("v0", 0)
    with pytest.raises(errors.ParameterError, match="prepare"):
        Ordered(prepare=["lag:v0"]).fit(frame)


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
