# %% [markdown]
# # Brain signals: which region drives which?
# NetSim (Smith et al., 2011) is a set of simulated BOLD signals with known networks. Put its files
# into a folder and name it in `NETSIM`; without them this guide simulates data of the same size.

# %%
import os
from pathlib import Path

import numpy as np
from dycausal import Ordered, Panel, datasets, distributed, inspect, metrics, simulate

here = Path(__file__).resolve().parents[3] if "__file__" in globals() else Path.cwd()
folder = Path(os.environ.get("NETSIM", here / "shared" / "data" / "netsim"))

if folder.is_dir():
    data = datasets.load_netsim(folder, sim=3)
    X, truth, names, name = data.X, data.truth, data.names, data.name
else:
    made = simulate.linear(
        variables=15, series=50, steps=200, density=1.0, dynamics="static", weights=(0.3, 0.5), random_state=1
    )
    X, truth = made.X, (made.truth.to_numpy()[0] != 0).any(axis=0)
    names, name = made.truth.names, "simulated"
np.fill_diagonal(truth, False)
print(f"{name}: {X.shape[0]} subjects, {X.shape[1]} times, {X.shape[2]} regions, {truth.sum()} links")

# %% [markdown]
# ## Before the fit
# Subjects differ in mean and scale: bring each to mean 0 and standard deviation 1. Do variances give
# the order away? At 0.5 they do not; at 1 sorting by variance would solve the task, and a high score
# would prove little.

# %%
X = (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)
panel = Panel(X, names)
print(f"varsortability {inspect.varsortability(X, truth):.2f}")

# %% [markdown]
# ## All subjects together
# The signal is slow beside the sampling, so most of what happens, happens within a step; the network
# does not move, so a constant basis is enough.

# %%
estimator = Ordered(lag=1, movement="constant").fit(panel)
graph = estimator.graph_
print(graph.summary(most=10))

# %% [markdown]
# ## Against the truth
# Self loops do not count. AUROC ranks all pairs of regions by the strongest weight at any lag.

# %%
scores = metrics.score(truth.astype(float), graph, threshold=0.1, diagonal=False)
summary = scores.all.summary
print(
    f"F1 {summary.f1:.2f}, AUROC {summary.auroc:.2f}, {summary.true_positives} of {truth.sum()} links found"
)
assert summary.auroc > 0.8

# %% [markdown]
# ## How sure?
# Half of the subjects at a time: links that come back in nearly every half are stable. The same call
# runs on a cluster with `backend="ray"` or `backend="dask"`.

# %%
halves = distributed.stability_selection(
    Ordered(lag=1, movement="constant", bands=False), panel, 10, random_state=1, backend="threads"
)
stable = halves.stable(0.9)
stable = stable[stable["source"] != stable["target"]]
print(stable.head(10))
assert len(stable) > 0
