"""Python has what Rust has: methods, parameters, defaults, errors, and the same bits."""

import inspect
import os
import re
import subprocess
import sys

import dycausal
import numpy as np
import pytest
from conftest import ROOT
from dycausal import DynamicGraph, errors, methods
from dycausal.estimator import COMMON
from dycausal.registry import methods as registered

KINDS = {getattr(methods, name).method: getattr(methods, name) for name in methods.__all__}


def test_every_method_of_the_registry_has_an_estimator_and_no_other_has():
    assert set(KINDS) == {method.name for method in registered()}


@pytest.mark.parametrize("method", registered(), ids=lambda method: method.name)
def test_parameters_and_defaults_are_those_of_the_rust_structs(method):
    signature = inspect.signature(KINDS[method.name].__init__).parameters
    ours = {name: p.default for name, p in signature.items() if name not in ("self", *COMMON)}
    theirs = {parameter.name: parameter.default for parameter in method.parameters}
    plain = {name: _plain(value) for name, value in theirs.items()}
    assert ours == plain
    assert {name: type(value) for name, value in ours.items()} == {
        name: type(value) for name, value in plain.items()
    }
    assert KINDS[method.name]().check() == theirs


def _plain(default):
    """Defaults may not change: lists are tuples, and an empty map is nothing."""
    if isinstance(default, list):
        return tuple(default)
    return None if default == {} else default


def test_the_estimators_are_what_the_script_writes():
    script = ROOT / "scripts" / "write_estimators"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("crate", ["dycausal", "dycausal-lab", "dycausal-io"])
def test_every_error_of_rust_has_its_class(crate):
    text = (ROOT / "crates" / crate / "src" / "error.rs").read_text(encoding="utf-8")
    body = re.search(r"pub enum Error \{(.*?)\n\}", text, re.DOTALL).group(1)
    variants = set(re.findall(r"^    ([A-Z]\w+)(?: \{|\(|,)", body, re.MULTILINE))
    assert len(variants) >= 4
    carriers = {"Library", "File", "Data"}
    missing = {v for v in variants - carriers if not hasattr(errors, f"{v}Error")}
    assert not missing


def command():
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    path = os.path.join(target, "debug", "dycausal")
    if not os.path.exists(path):
        pytest.skip(f"{path} is not there: cargo build --workspace makes it")
    return path


@pytest.mark.filterwarnings("ignore::dycausal.DycausalWarning")
@pytest.mark.parametrize("name", sorted(KINDS))
def test_python_and_the_command_line_give_the_same_bits(name, made, tmp_path):
    quick = {"iterations": 40, "stages": 2} if name == "dycausal" else {}
    np.save(tmp_path / "series.npy", made.X)
    fit = [command(), "fit", tmp_path / "series.npy", "-o", tmp_path / "run", "--method", name, "--seed", "3"]
    for key, value in quick.items():
        fit += ["--set", f"{key}={value}"]
    subprocess.run(fit, check=True, capture_output=True)
    for threads in (1, 2):
        estimator = dycausal.method(name, **quick, random_state=3, n_jobs=threads)
        estimator.fit(made.X)
        assert estimator.weights_.tobytes() == np.load(tmp_path / "run" / "weights.npy").tobytes()
        assert estimator.graph_ == DynamicGraph.load(tmp_path / "run")


def test_data_are_simulated_to_the_same_bits(tmp_path):
    subprocess.run(
        [command(), "simulate", "linear", "-o", tmp_path / "sim", "--series", "7", "--seed", "9"],
        check=True,
        capture_output=True,
    )
    drawn = dycausal.simulate.linear(series=7, random_state=9)
    assert drawn.X.tobytes() == np.load(tmp_path / "sim" / "series.npy").tobytes()
    assert drawn.truth.to_numpy().tobytes() == np.load(tmp_path / "sim" / "truth.npy").tobytes()
