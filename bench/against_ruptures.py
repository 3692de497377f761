#!/usr/bin/env python3
"""When a system changed: the time that dycausal finds beside those of ruptures, on the same data.

    python3 -m venv VENV && VENV/bin/pip install numpy ruptures && VENV/bin/pip install .
    VENV/bin/python bench/against_ruptures.py [--seeds 20] [--first 7000] [--steps 600]

One series of a VAR(1) of 6 variables with memory 0.3 and three cross edges that stay. At one time in
the middle 60 % three others change at once: one appears, one vanishes, one changes its sign.

ruptures is told more than dycausal: with Dynp that there is one change, with `linear` and `ar` how many
lags there are. `ar` and `linear` know one equation each; costs of all variables are added up. Of what
Pelt finds the nearest counts; of dycausal's regimes the one in which most edges change.

Prints, per method and setting: the median error and the share of seeds within 2 % of the steps; where
nothing was found the error counts as infinite. Of dycausal also how often its interval holds the time.
"""
import argparse
import math
import sys
import time
import warnings

import numpy as np
import ruptures
from ruptures.base import BaseCost
from ruptures.costs import CostAR, CostLinear

VARIABLES = 6
MEMORY = 0.3
NEAR = 0.02
# The shortest stretch between changes, for all costs: an equation has seven numbers to be found.
SHORTEST = 30
# Of Pelt; of `linear` what Akaike's and the Bayesian criterion ask for 42 coefficients and a time.
PENALTIES = {"rbf": (1, 3, 10), "linear, lag 1": (43 * 2, 43 * math.log(600))}
BURN_IN = 200


def transition(rng):
    """Matrices [effect, cause] before and after the change, both stable."""
    while True:
        before = MEMORY * np.eye(VARIABLES)
        cells = [(i, j) for i in range(VARIABLES) for j in range(VARIABLES) if i != j]
        places = [cells[k] for k in rng.permutation(len(cells))[:6]]
        signs = rng.choice([-1.0, 1.0], size=6)
        for place, sign in zip(places[:3], signs):
            before[place] = sign * rng.uniform(0.3, 0.5)
        after = before.copy()
        appears, vanishes, flips = places[3:]
        after[appears] = 0.6 * signs[3]
        before[vanishes] = 0.6 * signs[4]
        before[flips], after[flips] = 0.4 * signs[5], -0.4 * signs[5]
        if max(np.abs(np.linalg.eigvals(m)).max() for m in (before, after)) < 0.9:
            return before, after


def draw(seed, steps):
    """A series [time, variable], and the first step after the change."""
    rng = np.random.default_rng(seed)
    before, after = transition(rng)
    change = int(rng.integers(round(0.2 * steps), round(0.8 * steps)))
    noise = rng.normal(size=(BURN_IN + steps, VARIABLES))
    x = np.zeros_like(noise)
    for t in range(1, len(x)):
        x[t] = (after if t - BURN_IN >= change else before) @ x[t - 1] + noise[t]
    return x[BURN_IN:], change


class Summed(BaseCost):
    """The costs of several signals, added up; `model` has to be there for ruptures."""

    model = "summed"
    min_size = 2

    def __init__(self, parts):
        self.parts = parts

    def fit(self, signal):
        self.signal = signal
        return self

    def error(self, start, end):
        return sum(part.error(start, end) for part in self.parts)


def autoregressions(x, order):
    """`ar` of every variable; it writes to its signal."""
    return Summed([CostAR(order=order).fit(x[:, [v]].copy()) for v in range(VARIABLES)])


def equations(x):
    """`linear` of every variable on the step before; times are one less."""
    past = np.column_stack([x[:-1], np.ones(len(x) - 1)])
    return Summed([CostLinear().fit(np.column_stack([x[1:, v], past])) for v in range(VARIABLES)])


def settings(x):
    """(name, signal, cost of ruptures, steps that the signal lacks at its start)."""
    products = np.einsum("ti,tj->tij", x[1:], x[:-1]).reshape(len(x) - 1, -1)
    yield "rbf", x, {"model": "rbf"}, 0
    yield "rbf of x(t) x(t-1)", products, {"model": "rbf"}, 1
    yield "normal", x, {"model": "normal"}, 0
    for order in (1, 4):
        yield f"ar, order {order}", x, {"custom_cost": autoregressions(x, order)}, 0
    yield "linear, lag 1", x[1:], {"custom_cost": equations(x)}, 1


def theirs(x):
    """{name: times found} of ruptures in every setting."""
    found = {}
    for name, signal, cost, lacking in settings(x):
        search = ruptures.Dynp(**cost, min_size=SHORTEST, jump=1).fit(signal)
        found[f"ruptures Dynp, {name}"] = [t + lacking for t in search.predict(n_bkps=1)[:-1]]
        for penalty in PENALTIES.get(name, ()):
            # Every fifth step, as it comes: every one takes half a minute.
            search = ruptures.Pelt(**cost, min_size=SHORTEST, jump=5).fit(signal)
            times = search.predict(pen=penalty)[:-1]
            found[f"ruptures Pelt, {name}, penalty {penalty:.0f}"] = [t + lacking for t in times]
    return found


def ours(x):
    """The regime of dycausal in which most edges change; None without any."""
    from dycausal import Ordered

    graph = Ordered().fit(x).graph_
    if not hasattr(graph, "regimes"):
        sys.exit("this dycausal is too old: its graphs have no regimes()")
    return max(graph.regimes(), key=lambda regime: len(regime["edges"]), default=None)


def row(name, errors, steps, rest):
    """One line of the table."""
    near = np.mean([error <= NEAR * steps for error in errors])
    middle = float(np.median(errors))
    middle = f"{middle:.1f}" if math.isfinite(middle) else "none found"
    return f"| {name} | {middle} | {near:.2f} | {rest} |"


def main():
    """Draws, finds and prints."""
    parser = argparse.ArgumentParser(description="Times of changes: dycausal beside ruptures.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=7000)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--without-dycausal", action="store_true", help="ruptures only")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", module="ruptures")
    errors, counts, held, seconds = {}, {}, [], []
    for seed in range(options.first, options.first + options.seeds):
        x, change = draw(seed, options.steps)
        for name, times in theirs(x).items():
            nearest = min((abs(t - change) for t in times), default=math.inf)
            errors.setdefault(name, []).append(nearest)
            counts.setdefault(name, []).append(len(times))
        if options.without_dycausal:
            continue
        begun = time.perf_counter()
        regime = ours(x)
        seconds.append(time.perf_counter() - begun)
        missed = math.inf if regime is None else abs(regime["at"] - change)
        errors.setdefault("dycausal", []).append(missed)
        held.append(regime is not None and regime["low"] <= change <= regime["high"])
    print(f"{options.seeds} seeds from {options.first}, {options.steps} steps")
    print("| method | median error, steps | within 2 % | |\n|---|---:|---:|---|")
    for name, found in errors.items():
        if name in counts:
            rest = f"{np.mean(counts[name]):.1f} changes found"
        else:
            rest = f"interval holds the time {np.mean(held):.2f}, {np.median(seconds):.2f} s a fit"
        print(row(name, found, options.steps, rest))


if __name__ == "__main__":
    main()
