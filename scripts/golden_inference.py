#!/usr/bin/env python3
"""Prints covariances of statsmodels on data that the tests of `inference` make in the same way.

pip install numpy statsmodels; python3 scripts/golden_inference.py
"""

import numpy as np
import statsmodels.api as sm

SERIES, STEPS = 5, 12


def noise(k: int) -> float:
    """A number in [-0.5, 0.5) that is the same everywhere."""
    return (k * k * 7919 + k * 104_729) % 10_007 / 10_007 - 0.5


rows = [(t, n) for t in range(STEPS) for n in range(SERIES)]
x = np.array([[noise(t * SERIES + n + 1000 * j) for j in range(2)] for t, n in rows])
z = np.column_stack([x[:, 0], x[:, 0] * [t / STEPS for t, _ in rows], x[:, 1]])
y = np.array([0.7 * x[i, 0] - 0.4 * x[i, 1] + (0.2 + abs(x[i, 0])) * noise(5000 + i) for i in range(len(rows))])
series = np.array([n for _, n in rows])

model = sm.OLS(y, z)
print("coefficients", model.fit().params.tolist())
print("classical   ", model.fit().cov_params().ravel().tolist())
print("HC3         ", model.fit(cov_type="HC3").cov_params().ravel().tolist())
print("by series   ", model.fit(cov_type="cluster", cov_kwds={"groups": series}).cov_params().ravel().tolist())
