"""Beyond one machine: samples of the data, sweeps of parameters, and data in many files.

The same functions run here (`backend="serial"` or `"threads"`), on Ray (`"ray"`, or
:class:`Ray`) and on Dask (`"dask"`, a client, or :class:`Dask`), with the same bits. Tasks that are
lost with their worker are done again.
"""

from dycausal.distributed.backends import Backend, Dask, LostTasksError, Ray, Serial, Threads
from dycausal.distributed.partitions import moments
from dycausal.distributed.resampling import Resamples, bootstrap, stability_selection
from dycausal.distributed.sweeping import Sweep, Trial, sweep

__all__ = [
    "Backend",
    "Dask",
    "LostTasksError",
    "Ray",
    "Resamples",
    "Serial",
    "Sweep",
    "Threads",
    "Trial",
    "bootstrap",
    "moments",
    "stability_selection",
    "sweep",
]
