"""Writes crates/dycausal/src/learners/golden_trajectories.json: what `relax`, `ode` and rankings compute,
by numpy's least squares and scipy's distributions.

    python scripts/golden_trajectories.py        # needs numpy and scipy

- statistics of `relax` at one decay: likelihood ratios of every cause alone and given those selected,
  from regressions on rows with a free start per trajectory and a constant;
- log odds of a ranking where sources differ, by expectation and maximisation;
- Wald's p-value of some columns with an HC3 covariance.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import f as fisher

OUT = Path(__file__).parent.parent / "crates/dycausal/src/learners/golden_trajectories.json"


def left(y, z):
    """The squares of y beside the columns z."""
    return float(np.sum((y - z @ np.linalg.lstsq(z, y, rcond=None)[0]) ** 2))


def relax(seed, decay):
    random = np.random.default_rng(seed)
    series, steps, d = 6, 9, 4
    x = np.round(random.normal(size=(series, steps, d)).cumsum(axis=1), 3)
    history = np.zeros((series, steps, d + 1))
    values = np.concatenate([x, np.ones((series, steps, 1))], axis=2)
    e = np.exp(-decay)
    for t in range(1, steps):
        history[:, t] = e * history[:, t - 1] + 0.5 * (e * values[:, t - 1] + values[:, t])
    starts = np.kron(np.eye(series), np.exp(-decay * np.arange(steps))[:, None])
    h = history.reshape(-1, d + 1)
    base = np.hstack([starts, h[:, d:]])
    n = series * steps - series - 1
    selected = [1, 2]
    expected = []
    for cause in range(1, d):
        y = x[:, :, 0].ravel()
        others = [j for j in selected if j != cause]
        alone = n * np.log(left(y, base) / left(y, np.hstack([base, h[:, [cause]]])))
        given = np.hstack([base, h[:, others]])
        conditional = n * np.log(left(y, given) / left(y, np.hstack([given, h[:, [cause]]])))
        expected.append((np.sqrt(alone) + np.sqrt(conditional)) ** 2 / 4)
    return {
        "decay": decay,
        "shape": [series, steps, d],
        "values": x.ravel().tolist(),
        "selected": selected,
        "expected": expected,
    }


def sources(seed):
    random = np.random.default_rng(seed)
    d = 7
    statistics = random.chisquare(1, size=(d, d)).astype(np.float32).astype(float)
    statistics[2, 3:] += 12
    off = ~np.eye(d, dtype=bool)
    squared = statistics * 0.4549 / np.median(statistics[off])
    evidence = np.minimum(0.5 * squared * 10 / 11 - 0.5 * np.log(11), 200)
    share = np.full(d, 0.02)
    for _ in range(30):
        p = np.where(off, 1 / (1 + np.exp(-(np.log(share / (1 - share))[:, None] + evidence))), 0)
        mean = p.sum() / (d * (d - 1))
        share = np.clip((p.sum(axis=1) + 5 * mean) / (d - 1 + 5), 1e-4, 0.9)
    odds = np.log(share / (1 - share))[:, None] + evidence
    return {"variables": d, "statistics": statistics.ravel().tolist(), "expected": odds.ravel().tolist()}


def wald(seed):
    random = np.random.default_rng(seed)
    n = 60
    x = np.round(random.normal(size=(n, 3)), 3)
    y = np.round(0.3 * x[:, 0] + random.normal(size=n) * (1 + np.abs(x[:, 1])), 3)
    z, u = x - x.mean(axis=0), y - y.mean()
    inverse = np.linalg.inv(z.T @ z)
    beta = inverse @ z.T @ u
    e = u - z @ beta
    leverage = np.einsum("ij,jk,ik->i", z, inverse, z) + 1 / n
    scores = z * (e / (1 - leverage))[:, None]
    covariance = inverse @ scores.T @ scores @ inverse
    p = []
    for j in range(3):
        statistic = beta[j] ** 2 / covariance[j, j]
        p.append(float(fisher.sf(statistic, 1, n - 4)))
    return {"rows": n, "x": x.ravel().tolist(), "y": y.tolist(), "expected": p}


OUT.write_text(
    json.dumps({"relax": [relax(1, 0.2), relax(2, 0.8)], "sources": sources(3), "wald": wald(4)}, indent=1)
    + "\n"
)
