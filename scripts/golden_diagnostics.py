#!/usr/bin/env python3
"""Golden values of the residual checks: numpy, scipy and statsmodels on data that Rust makes too.

  golden_diagnostics.py            compares the committed numbers with what these packages say
  golden_diagnostics.py --write    writes them anew

Needs numpy, scipy and statsmodels; run from the root of the workspace. Rust compares with them in
crates/dycausal/src/diagnostics/golden.rs.
"""

import json
import sys

import numpy as np
import statsmodels.api as sm
from scipy import stats

GOLDEN = "crates/dycausal/src/diagnostics/golden.json"
SERIES, STEPS, WEIGHT, LAGS, STRETCHES, FOLDS = 24, 41, 0.5, 8, 8, 5
MASK = (1 << 64) - 1


def noise(k):
    """SplitMix64, from -0.5 to 0.5: the same bits everywhere."""
    z = (k + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 11) / (1 << 53) - 0.5


def data():
    """Values[series, step, variable]: the second follows the first, and itself, and grows restless."""
    x = np.zeros((SERIES, STEPS, 2))
    for n in range(SERIES):
        for t in range(STEPS):
            k = 2 * (n * STEPS + t)
            x[n, t, 0] = noise(k)
            x[n, t, 1] = (1 + t / STEPS) * noise(k + 1) ** 3 * 4
            if t:
                x[n, t, 1] += 0.7 * x[n, t - 1, 0] + 0.2 * x[n, t - 1, 1]
    return x


def golden():
    x = data()
    x = x - x.mean(axis=0)
    cause, effect = x[:, :-1, 0], x[:, 1:, 1]
    u = effect - WEIGHT * cause
    statistic = 0.0
    for k in range(1, LAGS + 1):
        products = u[:, k:] * u[:, :-k]
        # The robust score test: what a regression of 1 on the products explains.
        statistic += sm.OLS(np.ones(products.size), products.ravel()).fit().ess
    steps = u.shape[1]
    bins = [np.abs(u[:, b * steps // STRETCHES : (b + 1) * steps // STRETCHES]).ravel() for b in range(STRETCHES)]
    levene = stats.f_oneway(*bins)
    missed = square = 0.0
    for fold in range(FOLDS):
        out = np.arange(SERIES) % FOLDS == fold
        fit = sm.OLS(effect[~out].ravel(), cause[~out].ravel()).fit()
        missed += ((effect[out].ravel() - fit.predict(cause[out].ravel())) ** 2).sum()
        square += (effect[out] ** 2).sum()
    return {
        "whiteness_statistic": float(statistic),
        "whiteness_p": 2 * float(stats.chi2.sf(statistic, LAGS)),
        "variance_statistic": float(levene.statistic),
        "variance_p": 2 * float(levene.pvalue),
        "skewness": float(stats.skew(u.ravel())),
        "excess_kurtosis": float(stats.kurtosis(u.ravel())),
        "explained": 1 - float((u**2).sum() / (effect**2).sum()),
        "held_out": 1 - float(missed / square),
        "sd": float(np.sqrt((u**2).mean())),
    }


def main():
    found = golden()
    if "--write" in sys.argv:
        with open(GOLDEN, "w") as file:
            file.write(json.dumps(found, indent=2) + "\n")
        return
    with open(GOLDEN) as file:
        kept = json.load(file)
    for name, value in found.items():
        print(f"{name:22} {value:12.6g}")
        assert np.isclose(value, kept[name], rtol=1e-9), (name, value, kept[name])


main()
