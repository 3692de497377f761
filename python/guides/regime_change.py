# %% [markdown]
# # A regime change
# Markets, climates and machines change regime: from one day to the next other causes are at work.
# Here 40 recordings of the same system switch at step 30, and every weight is drawn anew. Nothing
# below is told when, or that anything changes at all.

# %%
from dycausal import Ordered, metrics, simulate

SWITCH = 30
made = simulate.linear(variables=6, series=40, steps=60, dynamics=f"regimes:{SWITCH}", random_state=21)
truth = made.truth

# %% [markdown]
# ## Weights that move, each in its own way
# Every edge is an average over models that stay, drift, jump, appear or vanish; the last column says
# which is likeliest.

# %%
estimator = Ordered(lag=1).fit(made.X)
graph = estimator.graph_
print(graph.summary(most=8))

# %% [markdown]
# ## When did it change?
# Edges that jump at the same time are one change of regime, with an interval.

# %%
regimes = graph.regimes()
main = max(regimes, key=lambda regime: len(regime["edges"]))
print(f"{len(main['edges'])} edges change at step {main['at_step']}, true change at step {SWITCH}")
assert abs(main["at_step"] - SWITCH) <= 1

# %% [markdown]
# ## One edge
# Its weight and band can be asked at any step, and its motion says how sure each kind is.

# %%
source, target, lag = main["edges"][0]
edge = graph.edge(source, target, lag=lag)
print(edge.motion)
print(edge.at(SWITCH - 5), edge.band(SWITCH - 5))
print(edge.at(SWITCH + 5), edge.band(SWITCH + 5))

# %% [markdown]
# ## Which edges changed?
# `q_unchanging` is the p-value of "the weight is the same at every step", adjusted for the number of
# edges tested.

# %%
overview = graph.overview()
changed = overview[overview["q_unchanging"] < 0.01]
print(changed[["source", "target", "lag", "motion", "change", "q_unchanging"]].to_string(index=False))
assert len(changed) > 0

# %% [markdown]
# ## Was it right to let weights move?
# The same without movement, scored against the truth at every step:

# %%
still = Ordered(lag=1, movement="constant").fit(made.X)
moving_f1 = metrics.score(truth, graph, threshold=0.2).all.average.f1
still_f1 = metrics.score(truth, still, threshold=0.2).all.average.f1
print(f"F1 with weights that move {moving_f1:.2f}, with weights that stay {still_f1:.2f}")
assert moving_f1 > still_f1 + 0.1
