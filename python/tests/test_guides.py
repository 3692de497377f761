"""The guides run, and say what they claim."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

GUIDES = sorted((ROOT / "python" / "guides").glob("*.py"))


def run(guide, **environment):
    command = [sys.executable, "-W", "ignore::UserWarning", guide]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_there_are_four():
    assert [guide.stem for guide in GUIDES] == ["first_graph", "fmri", "messy_data", "regime_change"]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_runs(guide):
    done = run(guide)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 200


def test_the_guide_to_fmri_runs_without_the_files(tmp_path):
    done = run(ROOT / "python" / "guides" / "fmri.py", NETSIM=str(tmp_path / "absent"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("simulated")


def test_the_guide_to_messy_data_runs_without_the_files(tmp_path):
    done = run(ROOT / "python" / "guides" / "messy_data.py", RIVERS=str(tmp_path / "absent"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("made up")
