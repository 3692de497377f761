"""Ray, Dask, threads and one process give the same bits, with a worker killed on the way."""

import os
import signal
import subprocess
import sys
import threading
import time

import cloudpickle
import numpy as np
import pandas as pd
import pytest
import ray
from dycausal import LaggedLeastSquares, Ordered, distributed, errors, metrics
from dycausal.distributed import backends
from dycausal.moments import Moments

# Workers do not have this file: what they need of it goes to them by value.
for pickler in (cloudpickle, ray.cloudpickle):
    pickler.register_pickle_by_value(sys.modules[__name__])


class Slow(LaggedLeastSquares):
    """Leaves the number of its process in a folder, and takes its time."""

    def __init__(
        self,
        *,
        folder="",
        lag=1,
        window=2,
        ridge=0.01,
        threshold=0.1,
        random_state=0,
        n_jobs=None,
        progress=False,
    ):
        super().__init__(
            lag=lag,
            window=window,
            ridge=ridge,
            threshold=threshold,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )
        self.folder = folder

    def method_parameters(self):
        found = super().method_parameters()
        found.pop("folder")
        return found

    def fit(self, X, y=None, **columns):
        number = f"{os.getpid()}-{time.time_ns()}"
        with open(os.path.join(self.folder, number), "w", encoding="utf-8"):
            pass
        time.sleep(0.3)
        return super().fit(X, y, **columns)


def kill_one(folder, killed):
    """Kills the first worker that has begun its second task, in the middle of it."""
    while not killed:
        workers = [name.partition("-")[0] for name in os.listdir(folder)]
        twice = [worker for worker in workers if workers.count(worker) > 1]
        if twice:
            time.sleep(0.1)
            os.kill(int(twice[0]), signal.SIGKILL)
            killed.append(int(twice[0]))
        time.sleep(0.01)


def same(one, other):
    assert one.graph == other.graph
    assert len(one.graphs) == len(other.graphs)
    for a, b in zip(one.graphs, other.graphs):
        assert a.to_numpy().tobytes() == b.to_numpy().tobytes()
    assert one.frequency.tobytes() == other.frequency.tobytes()


def bootstrapped(made, folder, backend):
    return distributed.bootstrap(Slow(folder=str(folder)), made.X, 8, random_state=3, backend=backend)


@pytest.fixture(scope="module")
def ray_backend():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield distributed.Ray()
    ray.shutdown()


@pytest.fixture(scope="module")
def dask_client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def serial(made, tmp_path_factory):
    return bootstrapped(made, tmp_path_factory.mktemp("serial"), "serial")


@pytest.mark.parametrize("name", ["ray", "dask"])
def test_with_one_worker_killed_the_result_is_that_of_one_process(name, made, serial, tmp_path, request):
    backend = request.getfixturevalue("ray_backend" if name == "ray" else "dask_client")
    killed = []
    killer = threading.Thread(target=kill_one, args=(tmp_path, killed), daemon=True)
    killer.start()
    try:
        result = bootstrapped(made, tmp_path, backend)
    finally:
        killed.append(None)
        killer.join()
    assert killed[0] is not None, "no worker was killed"
    assert len(os.listdir(tmp_path)) > 9, "the task that was lost was done again"
    same(result, serial)


def test_threads_give_the_same_bits(made, serial, tmp_path):
    same(bootstrapped(made, tmp_path, "threads"), serial)
    same(bootstrapped(made, tmp_path, distributed.Threads(3)), serial)


@pytest.mark.parametrize("name", ["threads", "ray", "dask"])
def test_sweeps_and_errors_of_tasks(name, made, request):
    fixtures = {"ray": "ray_backend", "dask": "dask_client"}
    backend = request.getfixturevalue(fixtures[name]) if name in fixtures else name
    grid = {"ridge": [0.01, 0.1], "threshold": [0.05, 0.2]}

    def scoring(graph):
        return metrics.score(made.truth, graph, threshold=0.1).lagged.average.f1

    here = distributed.sweep(LaggedLeastSquares(), made.X, grid, scoring=scoring)
    there = distributed.sweep(LaggedLeastSquares(), made.X, grid, scoring=scoring, backend=backend)
    assert here == there
    assert len(here.trials) == 4
    assert here.best.score == max(trial.score for trial in here.trials)
    assert here.table()["ridge"].tolist() == [0.01, 0.01, 0.1, 0.1]
    with pytest.raises(errors.ConstantError):
        distributed.bootstrap(LaggedLeastSquares(), np.ones((3, 9, 2)), 2, backend=backend)


def test_a_task_that_is_always_lost_ends_the_run(dask_client):
    def die(shared, item):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(distributed.LostTasksError, match="task 1 of 1 was lost"):
        list(distributed.Dask(dask_client, retries=0).run(die, None, [1]))


def test_results_come_in_order_whatever_is_quickest():
    def task(shared, item):
        time.sleep(0.05 * (3 - item))
        return shared + item

    assert list(distributed.Threads(4).run(task, 10, range(4))) == [10, 11, 12, 13]


def test_what_is_no_backend_is_refused():
    for wrong in ("spark", 3, None):
        with pytest.raises(errors.ParameterError, match="backend"):
            backends.backend_of(wrong)


def test_stable_edges_are_the_true_ones(made):
    found = distributed.stability_selection(Ordered(bands=False), made.X, 20, random_state=1)
    table = found.stable(0.6)
    truth = set(zip(*(made.truth.overview()[c] for c in ("source", "target", "lag"))))
    stable = set(zip(table["source"], table["target"], table["lag"]))
    right = len(stable & truth)
    assert right >= 0.8 * len(truth)
    assert right >= 0.8 * len(stable)
    assert found.frequency_over_time.shape == (30, 2, 5, 5)
    assert (found.frequency_over_time.max(axis=0) <= found.frequency + 1e-12).all()


def test_intervals_hold_the_truth_mostly(made):
    found = distributed.bootstrap(LaggedLeastSquares(threshold=0.0), made.X, 40, random_state=2)
    low, high = found.interval("x1", "x1", 1)
    assert (low <= high).all()
    estimate = found.graph.weight("x1", "x1", 1)
    assert np.mean((low <= estimate) & (estimate <= high)) > 0.8


def test_a_single_series_is_resampled_in_blocks(single):
    whole = LaggedLeastSquares(window=600, threshold=0.15)
    booted = distributed.bootstrap(whole, single, 20, random_state=1)
    halved = distributed.stability_selection(whole, single, 20, random_state=1)
    strong = np.abs(whole.fit(single).weights_[300]) > 0.3
    assert strong.any()
    for found in (booted, halved):
        assert found.frequency[strong].min() > 0.9
    with pytest.raises(errors.ParameterError, match="share"):
        distributed.stability_selection(whole, single, share=1.5)


def test_samples_that_cannot_be_fitted_are_told():
    X = np.zeros((2, 12, 2))
    X[0] = np.random.default_rng(0).normal(size=(12, 2))
    found = distributed.bootstrap(LaggedLeastSquares(window=12), X, 20, random_state=0)
    assert 0 < len(found.failed) < 20
    assert len(found.graphs) + len(found.failed) == 20
    assert "constant" in found.failed[0]


def write_parts(folder, X, parts, times=None):
    """Each part holds some of the series as a long table."""
    folder.mkdir(exist_ok=True)
    for number, members in enumerate(np.array_split(np.arange(len(X)), parts)):
        frames = []
        for k in members:
            frame = pd.DataFrame(X[k], columns=[f"v{v}" for v in range(X.shape[2])])
            when = np.arange(len(frame)) if times is None else times[k]
            frames.append(frame.assign(who=f"s{k}", when=when)[lambda f: ~f["v0"].isna()])
        pd.concat(frames).to_parquet(folder / f"part-{number:03}.parquet", index=False)


def test_moments_of_parts_are_those_of_the_whole_on_every_backend(made, tmp_path, ray_backend, dask_client):
    X = made.X.copy()
    X[3, 20:] = np.nan
    write_parts(tmp_path / "data", X, 7)
    options = {"lag": 2, "id": "who", "time": "when"}
    serial = distributed.moments(tmp_path / "data", **options)
    for backend in ("threads", ray_backend, dask_client):
        assert distributed.moments(tmp_path / "data", backend=backend, **options) == serial
    whole = Moments.of(X, 2)
    assert serial.rows.tolist() == whole.rows.tolist()
    scale = np.abs(whole.covariance()).max()
    assert np.abs(serial.covariance() - whole.covariance()).max() < 1e-10 * scale
    assert np.abs(serial.covariance(9) - whole.covariance(9)).max() < 1e-10 * scale


def test_a_graph_is_learned_from_the_moments_of_parts(made, tmp_path):
    write_parts(tmp_path / "data", made.X, 5)
    moments = distributed.moments(tmp_path / "data", 1, id="who", time="when")
    # Bands of moments know nothing of single rows, and a weight is drawn into its band.
    learned = Ordered(random_state=2, bands=False).fit_moments(moments)
    direct = Ordered(non_gaussian=False, random_state=2, bands=False).fit(made.X)
    assert learned.feature_names_in_.tolist() == [f"v{k}" for k in range(5)]
    assert np.abs(learned.weights_ - direct.weights_).max() < 1e-6
    assert learned.record_["parameters"]["non_gaussian"] is False
    assert learned.certificate_.acyclic
    with pytest.raises(errors.ShapeError, match="as in the moments"):
        Ordered(lag=2).fit_moments(moments)
    with pytest.raises(errors.ParameterError, match="resamples"):
        Ordered(resamples=3).fit_moments(moments)
    with pytest.raises(errors.ParameterError, match="needs the data"):
        LaggedLeastSquares().fit_moments(moments)


def test_parts_with_other_times_are_put_on_one_grid(made, tmp_path):
    times = {k: np.arange(30) + (10 if k >= 30 else 0) for k in range(60)}
    write_parts(tmp_path / "data", made.X, 2, times)
    found = distributed.moments(tmp_path / "data", 1, id="who", time="when")
    assert found.times.numbers.tolist() == list(range(40))
    assert found.rows.tolist() == [0] + [30] * 9 + [30] + [60] * 19 + [30] * 10


def test_parts_that_do_not_fit_together_are_refused(made, tmp_path):
    write_parts(tmp_path / "data", made.X[:4], 2)
    first = pd.read_parquet(tmp_path / "data" / "part-000.parquet")
    first.to_parquet(tmp_path / "data" / "part-002.parquet", index=False)
    with pytest.raises(errors.DuplicateNameError, match="whole in"):
        distributed.moments(tmp_path / "data", id="who", time="when")
    first[:30].assign(who="new").rename(columns={"v0": "w0"}).to_parquet(
        tmp_path / "data" / "part-002.parquet"
    )
    with pytest.raises(errors.ShapeError, match="part-002"):
        distributed.moments(tmp_path / "data", id="who", time="when")
    with pytest.raises(errors.NoSuchFileError):
        distributed.moments(tmp_path / "nothing.parquet")


def test_one_part_at_a_time_is_in_memory(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "data").mkdir()
    for part in range(12):
        frame = pd.DataFrame(rng.normal(size=(100_000, 20)), columns=[f"v{v}" for v in range(20)])
        frame.insert(0, "who", np.repeat(np.arange(1000) + 1000 * part, 100))
        frame.to_parquet(tmp_path / "data" / f"{part:02}.parquet", index=False)
    code = (
        "import resource, sys; from dycausal import distributed\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "found = distributed.moments(sys.argv[1], 1, id='who')\n"
        "print(int(found.rows.sum()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    run = [sys.executable, "-c", code, str(tmp_path / "data")]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    rows, kilobytes = map(int, done.stdout.split())
    assert rows == 12 * 1000 * 99
    whole = 12 * 100_000 * 20 * 8 / 1024
    assert kilobytes < 0.6 * whole
