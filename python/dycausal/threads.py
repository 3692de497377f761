"""How many threads to work on."""

from __future__ import annotations

import os

from dycausal.errors import ParameterError


def available() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def count(n_jobs: int | None) -> int:
    """The number of threads that `n_jobs` stands for; the result never depends on it.

    None and -1 are all cores, -2 all but one, and so on, as in scikit-learn.
    """
    if n_jobs is None:
        return available()
    if n_jobs == 0 or n_jobs != int(n_jobs):
        raise ParameterError(
            f"parameter `n_jobs` is {n_jobs}; expected None, a positive number, or -1 for all cores",
            name="n_jobs",
            found=str(n_jobs),
            expected="None, a positive number, or -1 for all cores",
        )
    return n_jobs if n_jobs > 0 else max(1, available() + 1 + n_jobs)
