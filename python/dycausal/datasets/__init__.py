"""Loaders for public benchmarks whose files you have; nothing is downloaded."""

from dycausal.datasets.causalrivers import load_causalrivers
from dycausal.datasets.causaltime import load_causaltime
from dycausal.datasets.dataset import Dataset
from dycausal.datasets.dream import load_dream3, load_dream4
from dycausal.datasets.netsim import load_netsim

__all__ = [
    "Dataset",
    "load_causalrivers",
    "load_causaltime",
    "load_dream3",
    "load_dream4",
    "load_netsim",
]
