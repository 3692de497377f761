"""Loaders of public benchmarks: as they are distributed, and as arrays."""

import numpy as np
import pytest
from dycausal import datasets, errors


@pytest.mark.parametrize(("sim", "shape", "edges"), [(3, (50, 200, 15), 18), (1, (50, 200, 5), 5)])
def test_netsim(shared_data, sim, shape, edges):
    data = datasets.load_netsim(shared_data / "netsim", sim)
    assert data.X.shape == shape
    assert data.truth.sum() == edges
    assert not data.truth.diagonal().any()
    assert (data.weights.any(axis=0) == data.truth).all()


def test_netsim_with_one_graph_per_subject(shared_data):
    data = datasets.load_netsim(shared_data / "netsim", 13)
    assert data.truth.shape == (50, 5, 5)
    assert set(data.truth.sum(axis=(1, 2))) <= {6, 7, 8}


@pytest.mark.parametrize(
    ("size", "network", "edges"), [(10, "Ecoli1", 11), (50, "Yeast1", 77), (100, "Ecoli2", 119)]
)
def test_dream3(shared_data, size, network, edges):
    data = datasets.load_dream3(shared_data / "dream3", size, network)
    assert data.X.shape[1:] == (21, size)
    assert data.truth.sum() == edges


@pytest.mark.parametrize(("size", "network", "edges"), [(10, 1, 15), (100, 2, 249)])
def test_dream4(shared_data, size, network, edges):
    data = datasets.load_dream4(shared_data / "dream4", size, network)
    assert data.X.shape[1:] == (21, size)
    assert data.truth.sum() == edges


def test_causalrivers(shared_data):
    data = datasets.load_causalrivers(shared_data / "causalrivers_flood")
    assert data.X.shape == (1, 3010, 42)
    assert data.truth.sum() == 42
    assert np.isnan(data.X).sum() == 29
    assert data.times[0] == np.datetime64("2024-09-09")
    assert data.panel.times.labels[1] == "2024-09-09T00:15:00"


def test_tables_of_dream_as_distributed(tmp_path):
    rows = ['"Time"\t"G1"\t"G2"\t"G3"', ""]
    rows += [f"{10 * t}\t{k}.{t}\t0.5\t{t}" for k in range(2) for t in range(4)]
    (tmp_path / "InSilicoSize3-Ecoli1-trajectories.tsv").write_text("\n".join(rows))
    (tmp_path / "DREAM3GoldStandard_InSilicoSize3_Ecoli1.txt").write_text("G1\tG2\t1\nG2\tG3\t1\nG3\tG1\t0\n")
    data = datasets.load_dream3(tmp_path, 3, "Ecoli1")
    assert data.X.shape == (2, 4, 3)
    assert data.X[1, 2, 0] == 1.2
    assert data.times.tolist() == [0, 10, 20, 30]
    assert np.argwhere(data.truth).tolist() == [[0, 1], [1, 2]]
    (tmp_path / "InSilicoSize3-Ecoli1-trajectories.tsv").write_text("\n".join(rows[:-1]))
    with pytest.raises(errors.MalformedError, match="one length"):
        datasets.load_dream3(tmp_path, 3, "Ecoli1")


def test_causaltime(tmp_path):
    np.save(tmp_path / "gen_data.npy", np.zeros((4, 40, 6), dtype=np.float32))
    links = np.eye(3)
    links[0, 2] = 1
    np.save(tmp_path / "graph.npy", links)
    data = datasets.load_causaltime(tmp_path)
    assert data.X.shape == (4, 40, 3)
    assert np.argwhere(data.truth).tolist() == [[0, 2]]
    assert np.argwhere(datasets.load_causaltime(tmp_path, transpose=True).truth).tolist() == [[2, 0]]
    np.save(tmp_path / "graph.npy", np.eye(7))
    with pytest.raises(errors.ArrayError, match="at most 6 rows"):
        datasets.load_causaltime(tmp_path)


def test_rivers_as_tables(tmp_path):
    (tmp_path / "rivers_ts_flood.csv").write_text(
        "datetime,59,77\n2024-09-09 00:00:00,1,2\n2024-09-09 00:15:00,,3\n"
    )
    (tmp_path / "rivers_flood_edges.csv").write_text("source,target\n77,59\n")
    data = datasets.load_causalrivers(tmp_path)
    assert data.names == ["59", "77"]
    assert data.truth.tolist() == [[False, False], [True, False]]
    assert data.times[1] == np.datetime64("2024-09-09T00:15")


def test_a_folder_without_the_files_says_what_it_has(tmp_path):
    (tmp_path / "other.txt").write_text("")
    for load in (
        datasets.load_netsim,
        datasets.load_dream4,
        datasets.load_causalrivers,
        datasets.load_causaltime,
    ):
        with pytest.raises(errors.NoSuchFileError, match=r"other\.txt"):
            load(tmp_path)
        with pytest.raises(errors.NoSuchFileError, match="no such folder"):
            load(tmp_path / "absent")
        with pytest.raises(errors.DirectoryError, match="is a file"):
            load(tmp_path / "other.txt")
