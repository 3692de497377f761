#!/usr/bin/env python3
"""Values for crates/dycausal/src/design/fill/tests.rs: the same filling in numpy, by covariances instead of precisions.

    python3 scripts/golden_missing.py        prints the filled cells of a small panel

The panel is centred and of variance about 1 by construction, so that only the filling itself is compared: pairs of which
both cells were observed (first pass), then all with the variances that are left, shrinkage by what chance explains, conditional
means in windows of three steps, four passes, one bin of time.
"""

import numpy as np

STEPS, VARIABLES = 60, 3
PASSES, LEAST, PERSISTENT = 4, 0.001, 0.95


def noise(k: int) -> float:
    return ((k * k * 7919 + k * 104_729) % 10_007) / 10_007 - 0.5


def panel() -> np.ndarray:
    values = np.zeros((STEPS, VARIABLES))
    for t in range(STEPS):
        before = values[t - 1] if t else np.zeros(VARIABLES)
        values[t, 0] = 0.6 * before[0] + 2 * noise(3 * t)
        values[t, 1] = 0.8 * values[t, 0] + 2 * noise(3 * t + 1)
        values[t, 2] = 0.5 * before[1] + 2 * noise(3 * t + 2)
    for t in range(STEPS):
        for v in range(VARIABLES):
            if (7 * t + 11 * v) % 13 == 0:
                values[t, v] = np.nan
    values[30] = np.nan
    return values


def correlations(values, left, absent, usable, first):
    """Correlations of lag 0, 1, 2 as [now, before], numbers of observed pairs, and standard deviations."""
    sums, counts, seen = [], [], []
    for lag in range(3):
        now, before = np.arange(lag, STEPS), np.arange(STEPS - lag)
        kept = usable[now] & usable[before]
        now, before = now[kept], before[kept]
        both = (~absent[now][:, :, None] & ~absent[before][:, None, :]).sum(0)
        total = values[now].T @ values[before]
        if lag == 0:
            total = total + np.diag(left[now].sum(0))
        sums.append(total)
        seen.append(both)
        counts.append(both if first else np.full_like(both, len(now)))
    sd = np.sqrt(np.diag(sums[0]) / np.diag(counts[0]))
    out = [np.clip(s / np.maximum(n, 1) / np.outer(sd, sd), -0.999, 0.999) for s, n in zip(sums, counts)]
    return out, seen, sd


def shrinkage(r, counts):
    own = np.diag(r[1])
    chance = total = 0.0
    for lag, times in enumerate([1.5, 2.0, 1.0]):
        for v in range(VARIABLES):
            for w in range(VARIABLES):
                if (lag == 0 and v == w) or counts[lag][v, w] < 2:
                    continue
                a = np.clip(own[v] * own[w], -PERSISTENT, PERSISTENT)
                chance += times * (1 - r[lag][v, w] ** 2) ** 2 / counts[lag][v, w] * (1 + a) / (1 - a)
                total += times * r[lag][v, w] ** 2
    return min(max(chance / total, LEAST), 1.0)


def fill(values):
    absent = np.isnan(values)
    usable = ~absent.all(1)
    filled, left = np.where(absent, 0, values), np.zeros(values.shape)
    for k in range(PASSES):
        r, counts, sd = correlations(filled, left, absent, usable, k == 0)
        lam = shrinkage(r, counts)
        new, spread = filled.copy(), left.copy()
        for t in np.flatnonzero(usable & absent.any(1)):
            rows = [s for s in (t - 1, t, t + 1) if 0 <= s < STEPS and usable[s]]
            cells = [(s, v) for s in rows for v in range(VARIABLES)]

            def cov(a, b):
                (s, v), (u, w) = (a, b) if a[0] >= b[0] else (b, a)
                value = r[s - u][v, w]
                return 1.0 if a == b else (1 - lam) * value

            known = [c for c in cells if not absent[c]]
            lost = [(t, v) for v in range(VARIABLES) if absent[t, v]]
            oo = np.array([[cov(a, b) for b in known] for a in known])
            mo = np.array([[cov(a, b) for b in known] for a in lost])
            x = np.array([values[c] / sd[c[1]] for c in known])
            weights = mo @ np.linalg.inv(oo)
            for c, z, explained in zip(lost, weights @ x, np.sum(weights * mo, 1)):
                new[c] = z * sd[c[1]]
                spread[c] = (1 - explained) * sd[c[1]] ** 2
        filled, left = new, spread
    return filled, absent, usable


filled, absent, usable = fill(panel())
for t, v in zip(*np.nonzero(absent)):
    if usable[t]:
        print(f"({t}, {v}, {filled[t, v]:.15f}),")
