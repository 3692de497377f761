# %% [markdown]
# # A first graph from a DataFrame
# One row per hour, one column per variable, dates in the index: that is all dycausal needs. Here the
# table is made up, so that the answer is known: rain feeds the soil, within the hour in the dry
# season and no longer in the wet one, when the soil is full; the soil feeds the river an hour later.

# %%
import numpy as np
import pandas as pd
from dycausal import DynamicGraph, Ordered, inspect

rng = np.random.default_rng(7)
hours = pd.date_range("2024-03-01", periods=1500, freq="h")
uptake = np.linspace(1.2, 0.0, len(hours))  # how much of the rain the soil takes up
rain = rng.exponential(1.0, len(hours))
soil = uptake * rain + rng.laplace(0.0, 0.4, len(hours))
river = 0.7 * np.roll(soil, 1) + rng.laplace(0.0, 0.4, len(hours))
frame = pd.DataFrame({"rain": rain, "soil": soil, "river": river}, index=hours)
frame.loc[hours[100], "river"] = np.nan  # a gauge that failed

# %% [markdown]
# ## What do the data support?

# %%
print(inspect.inspect(frame))

# %% [markdown]
# ## The fit
# `Ordered` does not depend on units, takes missing cells, and says how sure it is.

# %%
estimator = Ordered(lag=1).fit(frame)
graph = estimator.graph_
print(graph)

# %% [markdown]
# ## Reading the answer
# Each edge has a row: its mean and strongest weight, when it is there, and how sure that is.

# %%
edges = estimator.edges_
print(edges[["source", "target", "lag", "mean", "strongest", "present", "q"]])

# %% [markdown]
# How it moves is another table: at this time, one unit more of the source means so many units more of
# the target, `lag` steps later, with a band around it.

# %%
paths = estimator.trajectories_
print(
    paths[paths["source"] == "rain"].iloc[::100][["source", "target", "lag", "time", "weight", "low", "high"]]
)

# %% [markdown]
# One time, as a table or as an array [lag, from, to]:

# %%
print(graph.at("2024-03-02T12:00:00")[["source", "target", "lag", "weight"]])
print(graph.to_numpy("2024-03-02T12:00:00").shape)

# %% [markdown]
# The uptake that was put in comes out: it falls from 1.2 to 0.

# %%
found = graph.weight("rain", "soil", lag=0)
print(f"uptake at the start {found[50]:.2f}, in the middle {found[750]:.2f}, at the end {found[-50]:.2f}")
assert abs(found[50] - uptake[50]) < 0.15
assert abs(found[750] - uptake[750]) < 0.15
assert abs(found[-50] - uptake[-50]) < 0.15
assert np.abs(graph.weight("soil", "river", lag=1) - 0.7).max() < 0.2
assert estimator.certificate_.acyclic

# %% [markdown]
# ## Keeping it
# A folder of plain files, which the command line reads too, and a page to look at in a browser.

# %%
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    graph.save(Path(folder) / "run", also=["graphml"])
    graph.report(Path(folder) / "report.html", frame)
    assert DynamicGraph.load(Path(folder) / "run") == graph
    print(sorted(path.name for path in (Path(folder) / "run").iterdir() if path.name[0] != "."))
