# %% [markdown]
# # From a messy table to a graph you can defend
# Seven river gauges, every 15 minutes, among them the days of a flood (CausalRivers). Put its files
# into a folder and name it in `RIVERS`; without them this guide makes up gauges of the same kind. A
# guide on the command line, on other data: docs/guides/messy-data.md.

# %%
import os
from pathlib import Path

import numpy as np
import pandas as pd
from dycausal import Knowledge, Ordered, compare, inspect

here = Path(__file__).resolve().parents[3] if "__file__" in globals() else Path.cwd()
folder = Path(os.environ.get("RIVERS", here / "shared" / "data" / "causalrivers_flood"))
GAUGES = {
    702: "rote_702",
    701: "rote_701",
    700: "rote_700",
    1086: "wilde_1086",
    1085: "wilde_1085",
    1084: "wilde_1084",
    990: "weisseritz_990",
}


def recorded() -> pd.DataFrame:
    nodes = pd.read_csv(folder / "nodes.csv").set_index("id")
    values = np.load(folder / "series.npy")[:, nodes.loc[list(GAUGES), "index"]]
    times = pd.to_datetime(pd.read_csv(folder / "time.csv")["datetime"])
    return pd.DataFrame(values, index=pd.DatetimeIndex(times, name="time"), columns=list(GAUGES.values()))


def made_up() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    steps = 2400
    levels = np.zeros((steps, 7))
    above = {1: 0, 2: 1, 4: 3, 5: 4}
    for t in range(1, steps):
        changes = 0.05 * rng.standard_t(4, 7)
        for gauge, source in above.items():
            changes[gauge] += 0.5 * (levels[t - 1, source] - levels[t - 2, source])
        changes[6] += 0.4 * (levels[t - 1, 2] - levels[t - 2, 2])
        levels[t] = 0.99 * levels[t - 1] + changes
    values = np.exp(levels)
    values[rng.random(values.shape) < 0.001] = np.nan
    times = pd.date_range("2024-09-09", periods=steps, freq="15min", name="time")
    return pd.DataFrame(values, index=times, columns=list(GAUGES.values()))


frame = recorded() if folder.is_dir() else made_up()
source = "recorded" if folder.is_dir() else "made up"
print(f"{source}: {len(frame)} times, {frame.shape[1]} gauges, {int(frame.isna().sum().sum())} cells missing")

# %% [markdown]
# ## Look before you fit
# What data ask for comes with the figure that says so; nothing is done unless you say so.

# %%
print(inspect.inspect(frame))

# %% [markdown]
# ## The clock, and what is done to the columns
# An hour is about what water takes between gauges. Logarithms, because floods multiply; changes,
# because levels wander, and two series that wander go together for no reason; and clipped, so that a few
# hours of the flood do not decide everything.

# %%
prepare = ["log", "difference", "clip"]
first = Ordered(prepare=prepare).fit(frame, every="1h")
print(first.graph_.summary(most=12))

# %% [markdown]
# ## Say what you know
# Not what you want to find: which way water runs, and that the arms do not meet before the last gauge.

# %%
known = Knowledge(
    tiers=[
        ["rote_702", "wilde_1086"],
        ["rote_701", "wilde_1085"],
        ["rote_700", "wilde_1084"],
        ["weisseritz_990"],
    ],
    groups={"rote": ["rote_*"], "wilde": ["wilde_*"]},
    forbid=[("rote", "wilde"), ("wilde", "rote")],
)
estimator = Ordered(prepare=prepare, knowledge=known, resamples=50).fit(frame, every="1h")
print(estimator.graph_.summary(most=12))

# %% [markdown]
# ## What would still be there in half of the data?
# A small q says that chance alone would not do it; `support` says how often halves of the data agree.

# %%
edges = estimator.graph_.overview()
between = edges[edges["source"] != edges["target"]]
print(between[["source", "target", "lag", "q", "support", "there"]].to_string(index=False))
uphill = {("rote_701", "rote_702"), ("weisseritz_990", "rote_700"), ("weisseritz_990", "wilde_1084")}
assert not uphill & set(zip(between["source"], between["target"], strict=True))

# %% [markdown]
# ## What would others say?
# They know nothing of logarithms and changes: pandas makes them.

# %%
changes = np.log(frame.resample("1h").mean()).diff().iloc[1:]
compared = compare(changes, ["pcmci-plus", "granger"])
print(compared)
