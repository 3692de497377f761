"""Writes crates/dycausal-lab/src/metrics/golden_ranking.json: areas under curves by scikit-learn.

    python scripts/golden_ranking.py        # needs numpy and scikit-learn (1.9 was used)

A statistic for every place (lag, from, to), null where it is not known; a truth with weights below
and above the threshold of 0.3; ties on purpose.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

OUT = Path(__file__).parent.parent / "crates/dycausal-lab/src/metrics/golden_ranking.json"


def areas(statistics, truth):
    known = np.where(np.isnan(statistics), -1.0, statistics)  # below every statistic
    return {
        "auroc": float(roc_auc_score(truth, known)),
        "auprc": float(average_precision_score(truth, known)),
    }


def case(seed, d, diagonal):
    random = np.random.default_rng(seed)
    weights = np.where(random.random((2, d, d)) < 0.3, random.choice([-1.0, 0.2, 0.7], (2, d, d)), 0.0)
    weights[0] = np.triu(weights[0], 1)
    truth = np.abs(weights) > 0.3
    statistics = np.round(random.exponential(1.0, (2, d, d)) + 1.5 * truth, 1)  # rounded: ties
    statistics[random.random((2, d, d)) < 0.1] = np.nan
    statistics[0][np.eye(d, dtype=bool)] = np.nan
    statistics = statistics.astype(np.float32).astype(float)
    off = ~np.eye(d, dtype=bool)
    lagged = np.ones((d, d), dtype=bool) if diagonal else off
    window = np.concatenate([statistics[0][off], statistics[1][lagged]])
    true = np.concatenate([truth[0][off], truth[1][lagged]])
    with np.errstate(all="ignore"):
        largest = np.fmax(statistics[0], statistics[1])
    return {
        "variables": d,
        "diagonal": diagonal,
        "statistics": [None if np.isnan(s) else s for s in statistics.ravel().tolist()],
        "truth": weights.ravel().tolist(),
        "expected": {
            "lag 0": areas(statistics[0][off], truth[0][off]),
            "lag 1": areas(statistics[1][lagged], truth[1][lagged]),
            "window": areas(window, true),
            "summary": areas(largest[lagged], truth.any(axis=0)[lagged]),
        },
    }


cases = [case(1, 6, True), case(2, 9, False), case(3, 5, False)]
OUT.write_text(json.dumps({"cases": cases}, indent=1) + "\n")
