#!/usr/bin/env python3
"""Golden values of the published method as its text has it (`preset = "paper"`), on data that Rust makes too.

  golden_published.py            compares the committed numbers with what this script says
  golden_published.py --write    writes them anew

Equations 3 to 5 and 8 to 11 of the paper written out with numpy, one window and one matrix after the other, nothing
shared and nothing fast: a convolution over the window of each knot, the parallel decoder with one linear layer per map,
straight lines between knots, the loss over t = tau + 1, ..., T - K, h of every step. Gradients by all parameters are
measured by complex steps, which are exact to rounding; the norm in h counts as a constant, as in the gradient that the
paper prints. Needs numpy; run from the root of the workspace. Rust compares with them in
crates/dycausal-published/src/method/golden.rs.
"""

import json
import sys

import numpy as np

GOLDEN = "crates/dycausal-published/src/method/golden.json"
SERIES, STEPS, D, LAG, WINDOW, SPACING, UNITS = 3, 15, 5, 1, 2, 4, 3
BETA, MU, ALPHA, VECTOR = 0.05, 0.1, 1.001, 8
MASK = (1 << 64) - 1


def noise(k):
    """SplitMix64, from -0.5 to 0.5: the same bits everywhere."""
    z = (k + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 11) / (1 << 53) - 0.5


X = np.array([2 * noise(k) + 0.3 for k in range(SERIES * STEPS * D)]).reshape(SERIES, STEPS, D)


class Draws:
    """Numbers between -1 and 1, one after the other."""

    def __init__(self, start):
        self.at = start

    def take(self, *shape, bound=1.0):
        count = int(np.prod(shape))
        drawn = [2 * noise(self.at + k) for k in range(count)]
        self.at += count
        return (bound * np.array(drawn)).reshape(shape)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Fit:
    def __init__(self, model):
        self.model = model
        self.units = 1 if model == "linear" else UNITS
        self.first_lag = 1 if model == "ode" else 0
        self.causes = D * (LAG + 1 - self.first_lag)
        # Steps are counted from 0 here, so that tau + 1, ..., T - K are LAG, ..., STEPS - WINDOW - 1.
        self.steps = list(range(LAG, STEPS - WINDOW))
        self.knots = list(range(LAG, STEPS - WINDOW, SPACING))
        draws = Draws(10_000)
        length, m = SERIES * WINDOW * D, self.units
        self.kernel = draws.take(D * m, length + 1, bound=length**-0.5)
        self.spread = []
        for _ in range(m):
            self.spread += [draws.take(self.causes, D, bound=D**-0.5), draws.take(self.causes, bound=D**-0.5)]
        self.sources = [draws.take(m + 1, D * m, bound=m**-0.5) for _ in range(self.causes)]
        draws = Draws(20_000)
        self.heads = draws.take(2 * D * m + D, bound=m**-0.5)
        self.heads[: D * m] = 0  # Eq. 10 has no constant inside the activation.
        windows = [X[:, k : k + WINDOW].reshape(-1) for k in self.knots]
        self.state = np.array([self.kernel @ np.append(window, 1) for window in windows])  # [knot, unit * D]

    def decode(self, state, spread, sources):
        """Eq. 4: weights[knot, cause, effect, unit]."""
        m = self.units
        weights = []
        for z in state:
            of_unit = [spread[2 * u] @ sigmoid(z[u * D : (u + 1) * D]) + spread[2 * u + 1] for u in range(m)]
            rows = []
            for cause, source in enumerate(sources):
                u = np.array([numbers[cause] for numbers in of_unit])
                rows.append((sigmoid(u) @ source[:m] + source[m]).reshape(D, m))
            weights.append(rows)
        weights = np.array(weights)
        if self.first_lag == 0:
            for v in range(D):
                weights[:, v, v] = 0
        return weights

    def between(self, weights, t):
        """Eq. 5; the last line goes on after the last knot."""
        k = min((t - LAG) // SPACING, len(self.knots) - 2)
        share = (t - self.knots[k]) / SPACING
        return weights[k] + (weights[k + 1] - weights[k]) * share

    def guess(self, w, z, heads):
        """Eq. 9, or Eq. 10: what causes z[series, cause] make of every effect."""
        if self.model == "linear":
            return z @ w[:, :, 0]
        m = self.units
        a, constant = heads[D * m : 2 * D * m].reshape(D, m), heads[2 * D * m :]
        return (sigmoid(np.einsum("nc,cim->nim", z, w)) * a).sum(2) + constant

    def loss(self, weights, heads):
        total, penalty, rolled = 0, 0, None
        for t in self.steps:
            w = self.between(weights, t)
            gaps = []
            for s in range(t, t + WINDOW):
                z = np.concatenate([X[:, s - lag] for lag in range(self.first_lag, LAG + 1)], axis=1)
                made = self.guess(w, z, heads)
                gaps.append(made - (X[:, s] - X[:, s - 1] if self.model == "ode" else X[:, s]))
            gaps = np.array(gaps)
            if self.model == "ode":  # Eq. 11: from the reconstruction of the step before, which begins as observed.
                rolled = gaps if rolled is None else rolled + gaps
                gaps = rolled
            total = total + (gaps * gaps).sum() / (SERIES * WINDOW)
            penalty = penalty + (w * np.sign(w.real)).sum()
        return (total + BETA * penalty) / len(self.steps)

    def cyclicity(self, weights):
        if self.first_lag:
            return 0.0
        total = 0
        for t in self.steps:
            squares = (self.between(weights, t)[:D] ** 2).sum(2)
            norm = squares.real.sum(1).max()  # The norm counts as a constant.
            matrix = ALPHA * np.eye(D) - squares / norm
            total = total - np.log(np.linalg.det(matrix)) + D * np.log(ALPHA)
        return total / len(self.steps)

    def objective(self, state, spread, sources, heads):
        weights = self.decode(state, spread, sources)
        return MU * self.loss(weights, heads) + self.cyclicity(weights)

    def gradient(self):
        parts = [self.state, *self.spread, *self.sources, self.heads]
        count = len(self.spread)

        def value(parts):
            return self.objective(parts[0], parts[1 : 1 + count], parts[1 + count : -1], parts[-1])

        slopes = []
        for at, part in enumerate(parts):
            slope = np.zeros(part.shape)
            for i in np.ndindex(part.shape):
                moved = [p.astype(complex) for p in parts]
                moved[at][i] += 1e-30j
                slope[i] = value(moved).imag / 1e-30
            slopes.append(slope)
        slopes[-1][: D * self.units] = 0  # No constant: nothing to learn.
        return slopes[0], slopes[1 : 1 + count], slopes[1 + count : -1], slopes[-1]


def padded(rows):
    """Rows of numbers with zeros to whole vectors, as Rust keeps them."""
    rows = np.atleast_2d(rows)
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % VECTOR))).reshape(-1).tolist()


def told(model):
    fit = Fit(model)
    weights = fit.decode(fit.state, fit.spread, fit.sources)
    state, spread, sources, heads = fit.gradient()
    maps = [padded(s) if s.ndim == 2 else s.tolist() for s in spread]
    return {
        "loss": float(np.real(fit.loss(weights, fit.heads))),
        "cyclicity": float(np.real(fit.cyclicity(weights))),
        "state": state.reshape(-1).tolist(),
        "spread": [number for part in maps for number in part],
        "sources": [number for source in sources for number in padded(source)],
        "heads": [] if model == "linear" else heads.tolist(),
    }


def main():
    found = {model: told(model) for model in ("linear", "mlp", "ode")}
    if sys.argv[1:] == ["--write"]:
        with open(GOLDEN, "w", encoding="utf-8") as file:
            json.dump(found, file)
            file.write("\n")
        return
    with open(GOLDEN, encoding="utf-8") as file:
        kept = json.load(file)
    worst = 0.0
    for model, parts in found.items():
        for name, numbers in parts.items():
            gap = np.abs(np.atleast_1d(numbers) - np.atleast_1d(kept[model][name]))
            worst = max(worst, float(gap.max(initial=0.0)))
    print(f"largest difference: {worst:.1e}")
    sys.exit(0 if worst < 1e-9 else 1)


main()
