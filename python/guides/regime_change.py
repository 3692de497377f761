# %% [markdown]
# # A regime change
# Markets, climates and machines change regime: from one day to the next other causes are at work.
# Here 40 recordings of the same system switch at step 30, and every weight is drawn anew.

# %%
import numpy as np
from dycausal import Ordered, metrics, simulate

SWITCH = 30
made = simulate.linear(variables=6, series=40, steps=60, dynamics=f"regimes:{SWITCH}", random_state=21)
truth = made.truth

# %% [markdown]
# ## Weights that jump
# A basis of steps lets weights jump at evenly spaced breaks and stay in between: with 6 of them over
# 60 steps, one is at the switch.

# %%
estimator = Ordered(lag=1, movement="step", basis_size=6).fit(made.X)
graph = estimator.graph_
print(graph.summary(most=8))

# %% [markdown]
# ## When did it change?
# The size of the jump from each step to the next, over all edges:

# %%
weights = graph.to_numpy()
jump = np.abs(np.diff(weights, axis=0)).sum(axis=(1, 2, 3))
found = int(np.argmax(jump)) + 1
print(f"largest change at step {found}, true change at step {SWITCH}")
assert abs(found - SWITCH) <= 1

# %% [markdown]
# ## Which edges changed?
# `q_unchanging` is the p-value of "the weight is the same at every step", adjusted for the number of
# edges tested.

# %%
overview = graph.overview()
changed = overview[overview["q_unchanging"] < 0.01]
print(changed[["source", "target", "lag", "strongest", "q_unchanging"]].to_string(index=False))
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
