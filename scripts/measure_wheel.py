"""Checks a wheel that is installed in this environment; see check_wheel.

  measure_wheel.py WHEEL FIT_SECONDS
"""

import importlib.metadata
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

ROUNDS, FITS = 8, 11


def check(what, value, limit, unit):
    print(f"{what:58} {value:8.3f} {unit:3} (below {limit:g})")
    return value < limit


def import_seconds():
    """The time of importing dycausal, numpy included, less that of starting Python."""

    def run(code):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    run("import dycausal")
    wall = min(run("import dycausal") for _ in range(9)) - min(run("pass") for _ in range(9))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("import dycausal")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{'import: time of the processor':58} {after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime:8.3f} s")
    return wall


def python_seconds(estimator, X):
    """How long each fit takes."""
    took = []
    for _ in range(FITS):
        began = time.perf_counter()
        estimator.fit(X)
        took.append(time.perf_counter() - began)
    return took


def rust_seconds(program, path, method):
    """How long each fit takes in Rust alone, on the same data and threads."""
    done = subprocess.run([program, path, method, str(FITS)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def compare(program, estimator, X):
    """The quickest fits of Python and Rust: what else the machine does can only add to them."""
    np.save("series.npy", X)
    python, rust = [], []
    for _ in range(ROUNDS):
        rust += rust_seconds(program, "series.npy", estimator.method)[1:]
        python += python_seconds(estimator, X)[1:]
    return min(python), min(rust)


def main():
    from dycausal import LaggedLeastSquares, Ordered, inspect, metrics, simulate

    wheel, program = sys.argv[1:]
    good = [check("wheel", os.path.getsize(wheel) / 1e6, 15, "MB")]
    needs = [r for r in importlib.metadata.requires("dycausal") or [] if "extra ==" not in r]
    print(f"{'depends on':58} {', '.join(needs)}")
    good.append([r.partition(">")[0] for r in needs] == ["numpy"])
    good.append(check("import", import_seconds(), 0.3, "s"))

    made = simulate.linear(variables=20, random_state=1)
    python, rust = compare(program, Ordered(), made.X)
    print(f"{'ordered, 20 variables: Rust alone':58} {1e3 * rust:8.1f} ms")
    good.append(check("  what Python adds", 100 * (python - rust) / rust, 5, "%"))
    good.append(check("  what Python adds", 1e3 * (python - rust), 10, "ms"))
    small = made.X[:5, :30, :3]
    for estimator in (Ordered(), LaggedLeastSquares()):
        python, rust = compare(program, estimator, small)
        good.append(check(f"{estimator.method}, 3 variables: what Python adds", 1e3 * (python - rust), 10, "ms"))
    graph = Ordered().fit(small).graph_
    calls = {
        "simulate": lambda: simulate.linear(variables=3, series=2, steps=10),
        "score": lambda: metrics.score(graph, graph),
        "inspect": lambda: inspect.inspect(small),
        "edges": lambda: graph.edges(),
    }
    for name, call in calls.items():
        call()
        began = time.perf_counter()
        for _ in range(20):
            call()
        good.append(check(f"{name} of next to nothing", 50 * (time.perf_counter() - began), 10, "ms"))
    sys.exit(0 if all(good) else "some of it is not as promised")


main()
