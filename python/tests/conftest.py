"""Data that several tests use."""

from pathlib import Path

import numpy as np
import pytest
from dycausal import simulate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def made():
    return simulate.linear(variables=5, series=60, steps=30, random_state=11)


@pytest.fixture(scope="session")
def single():
    """One long series [time, variable] of a system that stays."""
    drawn = simulate.linear(
        variables=4, series=1, steps=600, dynamics="static", weights=(0.3, 0.5), random_state=5
    )
    return np.ascontiguousarray(drawn.X[0])


@pytest.fixture(scope="session")
def shared_data():
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder
