"""Several methods on the same data."""

from __future__ import annotations

import dycausal
import numpy as np
import pytest
from dycausal import Granger, compare, simulate
from dycausal.errors import ParameterError, UnknownMethodError


@pytest.fixture(scope="module")
def made():
    return simulate.linear(variables=4, series=40, steps=25, dynamics="static", random_state=3)


def test_every_method_has_a_row_and_the_default_comes_first(made):
    found = compare(made.X, ["pcmci-plus", Granger(alpha=0.01)], truth=made.truth, threshold=0.1)
    assert [row["method"] for row in found.rows] == ["ordered", "pcmci-plus", "granger"]
    assert found.rows[0]["agreement"] == 1.0
    assert 0 < found.rows[1]["f1"] <= 1
    assert set(found.graphs) == {"ordered", "pcmci-plus", "granger"}
    assert len(found.table()) == 3 if hasattr(found.table(), "columns") else found.table()
    assert "pcmci-plus" in repr(found)
    assert found.svg.startswith("<svg")


def test_an_edge_says_who_found_it(made):
    found = compare(made.X, {"granger": {"alpha": 0.01}})
    overview = found.union.overview(frame="dict")
    finders = [set(names.split(", ")) for names in overview["found_by"]]
    assert set.union(*finders) == {"ordered", "granger"}


def test_one_that_fails_leaves_its_reason(made):
    X = np.array(made.X)
    X[0, 3, 1] = np.nan
    found = compare(X, ["dycausal", "granger"])
    assert "missing" in found.failures["dycausal"]
    assert "granger" in found.graphs
    assert "dycausal" not in found.graphs


def test_what_is_not_known_is_refused(made):
    with pytest.raises(UnknownMethodError):
        compare(made.X, ["pcmco"])
    with pytest.raises(ParameterError):
        compare(made.X, {"granger": {"alpha": 7}})
    with pytest.raises(ParameterError):
        compare(made.X, ["granger"], seconds=0)


def test_it_is_in_the_package():
    assert dycausal.compare is compare
