"""The graph: tables, arrays, pictures, files."""

import builtins
import json
import pickle

import matplotlib
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from dycausal import DynamicGraph, Ode, Ordered, errors, load, simulate

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def weights():
    weights = np.zeros((4, 2, 3, 3))
    weights[:, 1, 0, 1] = [0.1, 0.5, -0.9, 0.2]
    weights[1:3, 0, 1, 2] = 0.7
    return weights


@pytest.fixture(scope="module")
def graph(weights):
    return DynamicGraph.from_weights(weights, ["rain", "river", "<lake>"])


@pytest.fixture(scope="module")
def dated(weights):
    return DynamicGraph.from_weights(weights, list("abc"), pd.date_range("2024-01-01", periods=4))


@pytest.fixture(scope="module")
def fitted(made):
    return Ordered().fit(made.X).graph_


def test_arrays_there_and_back(graph, weights):
    assert (graph.to_numpy() == weights).all()
    assert (graph.to_numpy(2) == weights[2]).all()
    assert (graph.to_numpy(step=2) == weights[2]).all()
    assert graph.weight("rain", "river", 1).tolist() == [0.1, 0.5, -0.9, 0.2]
    assert graph.weight("river", "rain", 1).tolist() == [0] * 4
    assert (len(graph), graph.steps, graph.lag, graph.names[0]) == (2, 4, 1, "rain")
    with pytest.raises(errors.TooLargeError):
        graph.to_numpy(limit=8)


def test_every_edge_has_a_rank(fitted, graph, tmp_path):
    table = fitted.ranking(frame="dict")
    assert list(table) == ["source", "target", "lag", "statistic", "listed"]
    d, lags = len(fitted.names), fitted.lag + 1
    assert len(table["lag"]) == lags * d * d - d  # a variable is not its own cause within a step
    assert (np.diff(table["statistic"]) <= 0).all()
    assert table["listed"].sum() == len(fitted)
    assert fitted.ranking_statistic == "log likelihood ratio"
    odds = fitted.ranking(sources="differ")
    assert len(odds) == len(table["lag"])
    assert odds.statistic.is_monotonic_decreasing
    with pytest.raises(errors.ParameterError, match="same or differ"):
        fitted.ranking(sources="many")
    with pytest.raises(ValueError, match="no ranking"):
        graph.ranking()
    assert graph.ranking_statistic is None
    assert pickle.loads(pickle.dumps(fitted)) == fitted
    fitted.save(tmp_path / "run")
    again = DynamicGraph.load(tmp_path / "run")
    assert again.ranking().equals(fitted.ranking())


def test_equations_are_told(fitted, tmp_path):
    made = simulate.lorenz(variables=6, random_state=2)
    graph = Ode(interval=0.05).fit(made.X).graph_
    words, latex = graph.equations(), graph.equations("latex")
    assert list(words) == graph.names
    assert words["x1"].startswith("dx1/dt = ")
    assert all(text.startswith(r"\frac{dx_{") for text in latex.values())
    graph.save(tmp_path / "run")
    assert DynamicGraph.load(tmp_path / "run").equations() == words
    assert fitted.equations() == {}
    with pytest.raises(ValueError, match="latex"):
        graph.equations("html")


def test_smaller_arrays_are_graphs_of_one_step():
    assert DynamicGraph.from_weights([[0, 1], [0, 0]]).to_numpy().shape == (1, 1, 2, 2)
    with pytest.raises(errors.ShapeError, match="shape"):
        DynamicGraph.from_weights(np.zeros((2, 3)))
    with pytest.raises(errors.ShapeError):
        DynamicGraph.from_weights(np.eye(2))


def test_trajectories_are_tidy(graph, weights):
    rows = graph.trajectories()
    assert list(rows.columns) == ["source", "target", "lag", "time", "weight"]
    assert len(rows) == np.count_nonzero(weights)
    for row in rows.itertuples():
        source, target = graph.names.index(row.source), graph.names.index(row.target)
        assert weights[row.time, row.lag, source, target] == row.weight


def test_trajectories_of_long_series_have_few_rows():
    weights = np.zeros((3000, 2, 2, 2))
    weights[:, 1, 0, 1] = np.sin(np.arange(3000) / 500) + 2
    weights[:, 0, 0, 1] = 0.5
    weights[1501, 1, 1, 0] = 0.7
    graph = DynamicGraph.from_weights(weights)
    rows = graph.trajectories()
    assert rows.groupby(["source", "target", "lag"]).size().tolist() == [1, 500, 1]
    moving = rows[(rows["target"] == "x2") & (rows["lag"] == 1)]
    assert moving["time"].tolist() == [k * 2999 // 499 for k in range(500)]
    every = graph.trajectories(every_step=True)
    assert len(every) == 3000 + 1 + 1, "an edge that stays has one row"
    assert list(graph.edges()["present"]) == ["always", "always", "at 1501"]


def test_at_one_time(graph, dated):
    assert graph.at(0)["source"].tolist() == ["rain"]
    assert len(graph.at(1)) == 2
    assert len(graph.at(step=3)) == 1
    for time in ("2024-01-02", pd.Timestamp("2024-01-02"), np.datetime64("2024-01-02")):
        assert len(dated.at(time)) == 2
    for missing in (4, -1):
        with pytest.raises(IndexError, match="4 steps"):
            graph.at(missing)
    with pytest.raises(IndexError):
        graph.at(0.5)
    with pytest.raises(errors.NoSuchColumnError, match="no variable `snow`"):
        graph.weight("snow", "river")
    with pytest.raises(KeyError, match="2024-01-01 to 2024-01-04"):
        dated.at("2025-01-01")
    with pytest.raises(IndexError):
        graph.at(step=9)
    with pytest.raises(TypeError, match="needs a time"):
        graph.at()


def test_times_are_those_of_the_data(graph, dated):
    assert graph.times.tolist() == [0, 1, 2, 3]
    assert dated.times[0] == np.datetime64("2024-01-01")
    assert dated.trajectories()["time"].dtype.kind == "M"
    assert dated.edges()["first"].dtype.kind == "M"
    numbers = DynamicGraph.from_weights(np.zeros((2, 1, 2, 2)), times=[1990.0, 1990.5])
    assert numbers.step_of(1990.5) == 1


def test_tables_in_other_kinds_of_frames(graph):
    assert isinstance(graph.edges(frame="polars"), pl.DataFrame)
    assert isinstance(graph.edges(frame="dict"), dict)
    with pytest.raises(ValueError, match="frame is"):
        graph.edges(frame="excel")


def test_without_pandas_a_table_is_a_dict_of_arrays(graph, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert graph.edges()["mean"].tolist() == graph.edges(frame="dict")["mean"].tolist()
    with pytest.raises(ImportError):
        graph.edges(frame="pandas")


def test_edges_have_one_row_each(graph, dated):
    edges = graph.edges()
    assert graph.overview().equals(edges)
    strongest = dict(zip(edges["source"], edges["strongest"]))
    assert strongest == {"rain": -0.9, "river": 0.7}
    assert dict(zip(edges["source"], edges["steps"])) == {"rain": 4, "river": 2}
    assert dated.overview().set_index("source").loc["b", "first"] == pd.Timestamp("2024-01-02")


def test_what_a_fit_knows_is_in_the_table(fitted, tmp_path):
    fitted.save(tmp_path / "run")
    written = pd.read_csv(tmp_path / "run" / "edges.csv")
    edges = fitted.edges()
    assert list(written.columns) == list(edges.columns), "one definition of the columns"
    assert {"strength", "present", "p", "q", "p_unchanging", "q_unchanging"} <= set(edges.columns)
    # What is a time counts from 0 in Python and from 1 in files.
    times = {"first", "last", "present", "change", "change_low", "change_high", "changes", "there"}
    for column in edges.columns.difference(times):
        assert written[column].tolist() == edges[column].tolist()
    assert (written["first"] == edges["first"] + 1).all()
    written = pd.read_parquet(tmp_path / "run" / "trajectories.parquet")
    rows = fitted.trajectories()
    assert list(written.columns) == list(rows.columns)
    assert (written["time"] == rows["time"] + 1).all()
    assert written["weight"].tolist() == rows["weight"].tolist()
    assert (rows["low"] <= rows["high"]).all()


def test_strength_is_in_standard_deviations(made):
    graph = Ordered().fit(made.X).graph_
    larger = Ordered().fit(made.X * np.arange(1, made.X.shape[-1] + 1)).graph_
    assert graph.scale is not None
    assert (larger.scale / graph.scale).round(9).tolist() == list(range(1, len(graph.names) + 1))
    one, other = (each.overview().set_index(["source", "target", "lag"]) for each in (graph, larger))
    assert np.allclose(one["strength"], other["strength"].loc[one.index], rtol=1e-6)
    row = graph.overview().iloc[0]
    names = graph.names
    ratio = graph.scale[names.index(row["source"])] / graph.scale[names.index(row["target"])]
    assert np.isclose(row["strength"], row["strongest"] * ratio)
    assert graph.prune(0.1).scale.tolist() == graph.scale.tolist()
    assert pickle.loads(pickle.dumps(graph)).scale.tolist() == graph.scale.tolist()


def marked(mark):
    weights = np.zeros((2, 1, 2, 2))
    weights[:, 0, 0, 1] = 1
    inner = DynamicGraph.from_weights(weights)._inner
    text = json.loads(inner.to_json())
    text["edges"][0] |= mark
    return DynamicGraph(type(inner).from_json(json.dumps(text)))


def test_marks_are_words():
    for graph in (marked({"mark": "undirected", "confidence": 0.5}), marked({"undirected": True})):
        assert graph.edges()["mark"].tolist() == ["undirected"]
        assert graph.edges(frame="polars")["mark"].to_list() == ["undirected"]
        assert "(?)" in graph.summary()
    assert marked({"mark": "conflict", "confidence": 0.5}).overview()["confidence"].tolist() == [0.5]
    assert "(!)" in marked({"mark": "conflict"}).summary()
    assert "mark" not in marked({}).edges()


def test_a_column_that_is_not_there_says_why(graph):
    edges = graph.edges(frame="dict")
    with pytest.raises(KeyError, match="called `mark` now"):
        edges["undirected"]
    with pytest.raises(KeyError, match="not known of any edge"):
        edges["q"]
    with pytest.raises(KeyError, match="there are: source"):
        edges["colour"]


def test_summaries_list_what_is_surest_first():
    weights = np.zeros((2, 2, 2, 2))
    weights[:, 1, 0, 1], weights[:, 1, 1, 1] = 0.1, 9
    inner = DynamicGraph.from_weights(weights, ["rain", "river"])._inner
    text = json.loads(inner.to_json())
    for edge, q in zip(text["edges"], (0.01, 0.2)):
        edge["tests"] = {"absent": q / 2, "absent_adjusted": q}
    lines = DynamicGraph(type(inner).from_json(json.dumps(text))).summary().splitlines()
    assert lines[2].split()[-1] == "q"
    assert [line.split()[0] for line in lines[3:]] == ["rain", "river"]
    assert lines[3].endswith("0.0100")


def test_networkx(graph):
    now = graph.to_networkx(0)
    assert list(now.edges(data="weight")) == [("rain", "river", 0.1)]
    over_all = graph.to_networkx()
    assert isinstance(over_all, nx.MultiDiGraph)
    assert over_all.edges["rain", "river", 1] == {"lag": 1, "weight": -0.9}
    assert set(over_all.nodes) == set(graph.names)


def test_tigramite(graph, tmp_path):
    graph.save(tmp_path / "run", also=["tigramite"])
    written = np.load(tmp_path / "run" / "tigramite.npz")
    ours = graph.to_tigramite()
    assert ours["graph"][0, 1, 1] == "-->"
    assert ours["graph"][2, 1, 0] == "<--"
    for name in ("graph", "val_matrix", "var_names"):
        assert (written[name] == ours[name]).all()


def test_words_and_html_name_every_edge_and_escape_names(graph):
    text = graph.summary()
    assert "2 edges (1 within a step, 1 lagged)" in text
    assert "acyclic at all 4 steps" in text
    assert "1 to 2" in text
    page = graph._repr_html_()
    assert "&lt;lake&gt;" in page
    assert "<lake>" not in page
    assert page.count("<svg") == 2
    assert "… and 1 more" in graph.summary(most=1)


def test_an_empty_graph_is_told_and_drawn():
    empty = DynamicGraph.from_weights(np.zeros((3, 1, 2, 2)))
    assert "0 edges" in str(empty)
    assert len(empty.edges()) == 0
    assert "0 edges" in empty._repr_html_()
    empty.plot()


def test_pictures(fitted, dated):
    import matplotlib.pyplot as plt

    figure = fitted.plot(most=5)
    drawn = [ax for ax in figure.axes if ax.lines]
    assert len(drawn) == 5
    assert all(ax.collections for ax in drawn), "bands are drawn"
    _, ax = plt.subplots()
    assert dated.plot(ax=ax) is ax.figure
    assert len(ax.get_legend().get_texts()) == 2
    plt.close("all")


def test_certificates():
    cyclic = np.zeros((2, 1, 2, 2))
    cyclic[1, 0] = [[0, 1], [1, 0]]
    found = DynamicGraph.from_weights(cyclic).certificate
    assert (found.acyclic, found.step, found.cycle) == (False, 1, ["x1", "x2"])
    assert "CYCLIC" in DynamicGraph.from_weights(cyclic).summary()
    proved = DynamicGraph.from_weights(np.triu(np.ones((2, 2)), 1)).certificate
    assert proved.acyclic
    assert proved.order == ["x1", "x2"]


def test_a_run_folder_there_and_back(dated, fitted, tmp_path):
    for name, graph in (("dated", dated), ("fitted", fitted)):
        graph.save(tmp_path / name)
        again = load(tmp_path / name)
        assert again == graph
        assert again.record["variables"] == graph.names
    assert json.loads((tmp_path / "dated" / "run.json").read_text())["method"] == "given"
    with pytest.raises(errors.NotARunError):
        load(tmp_path)


def test_a_page_is_written_whole(fitted, made, dated, tmp_path):
    fitted.report(tmp_path / "plain.html")
    fitted.report(tmp_path / "full.html", made.X, truth=made.truth)
    plain, full = ((tmp_path / f"{name}.html").read_text() for name in ("plain", "full"))
    assert plain.lower().startswith("<!doctype html>")
    assert len(full) > len(plain)
    dated.report(tmp_path / "plain.html")
    assert (tmp_path / "plain.html").read_text() != plain
    with pytest.raises(errors.OtherShapeError, match="do not belong"):
        fitted.report(tmp_path / "none.html", made.X[:, :, :3])
    with pytest.raises(OSError, match="cannot be written"):
        fitted.report(tmp_path / "absent" / "none.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full.html", "plain.html"]


def test_still_pictures(dated, tmp_path):
    for kind in ("graph", "trajectories", "matrix"):
        dated.picture(tmp_path / f"{kind}.svg", kind)
        assert "<svg" in (tmp_path / f"{kind}.svg").read_text()
    dated.picture(tmp_path / "graph.png")
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(errors.UnknownFormatError):
        dated.picture(tmp_path / "x.svg", "cube")


def test_pruning(graph):
    assert len(graph.prune(0.8)) == 1
    assert graph.prune(0.8).overview()["steps"].tolist() == [1]
