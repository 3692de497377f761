#!/usr/bin/env python3
"""Checks the scores of dycausal-lab against scikit-learn (and numpy, for SHD and RMSE).

  check_scores.py              the committed golden values are what scikit-learn says, and the
                               Rust scores equal scikit-learn's on fresh random input
  check_scores.py --write      writes the golden values anew

Needs numpy and scikit-learn; run from the root of the workspace.
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.metrics import (average_precision_score, confusion_matrix, f1_score, precision_score,
                             recall_score, roc_auc_score, root_mean_squared_error)

warnings.filterwarnings("error")  # undefined scores must be handled here, not by convention
GOLDEN = "crates/dycausal-lab/tests/golden/scores.json"


def random_graph(rng, steps, lag, d, density):
    """Weights[time, lag, from, to] rounded so that ties occur; acyclic or not does not matter."""
    there = rng.random((steps, lag + 1, d, d)) < density
    weights = np.round(rng.normal(size=there.shape) * there, 1)
    weights[:, 0, range(d), range(d)] = 0
    return weights


def scores(truth, estimate, cells, threshold, reversible, weighted):
    """Scores over the cells where `cells` holds; arrays [lag, from, to] or [from, to]."""
    t, e = truth[cells], estimate[cells]
    a, b = np.abs(t) > threshold, np.abs(e) > threshold
    tn, fp, fn, tp = confusion_matrix(a, b, labels=[False, True]).ravel() if a.size else (0,) * 4
    turned = 0
    if reversible is not None:
        x, y = np.abs(truth[reversible]) > threshold, np.abs(estimate[reversible]) > threshold
        turned = int((x & ~y & ~x.T & y.T).sum())
    out = {
        "true_positives": int(tp), "false_positives": int(fp), "false_negatives": int(fn),
        "true_negatives": int(tn), "reversed": turned, "shd": int((a != b).sum()) - turned,
        "tpr": recall_score(a, b) if a.any() else None,
        "recall": recall_score(a, b) if a.any() else None,
        "fpr": 1 - recall_score(a, b, pos_label=False) if (~a).any() else None,
        "precision": precision_score(a, b) if b.any() else None,
        "f1": f1_score(a, b) if a.any() or b.any() else None,
        "auroc": roc_auc_score(a, np.abs(e)) if a.any() and (~a).any() else None,
        "auprc": average_precision_score(a, np.abs(e)) if a.any() else None,
    }
    if weighted:
        out["weight_rmse"] = root_mean_squared_error(t, e) if t.size else None
        out["edge_weight_rmse"] = root_mean_squared_error(t[a], e[a]) if a.any() else None
    return {k: v if v is None or isinstance(v, int) else float(v) for k, v in out.items()}


def case(rng, steps, lag, d, density, threshold, diagonal):
    truth = random_graph(rng, steps, lag, d, density[0])
    estimate = random_graph(rng, steps, lag, d, density[1])
    keep = rng.random(truth.shape) < 0.5  # half of the estimate is right
    estimate = np.where(keep & (density[1] > 0), truth, estimate)
    off = ~np.eye(d, dtype=bool)
    cells = np.stack([off] + [np.ones_like(off) if diagonal else off] * lag)
    parts = {}
    for name, lags in [("all", range(lag + 1)), ("instantaneous", [0]), ("lagged", range(1, lag + 1))]:
        here = np.zeros_like(cells)
        here[list(lags)] = cells[list(lags)]
        within = 0 if 0 in lags else None
        union = lambda w: np.abs(w).max(axis=0)
        flat = lambda w: np.where(here, union(w), 0).max(axis=0)
        summary = None if name != "instantaneous" else Ellipsis
        parts[name] = {
            "steps": [scores(truth[t], estimate[t], here, threshold, within, True)
                      for t in range(steps)],
            "window": scores(union(truth), union(estimate), here, threshold, within, False),
            "summary": scores(flat(truth), flat(estimate), here.any(axis=0), threshold, summary,
                              False),
        }
    return {"threshold": threshold, "diagonal": diagonal, "truth": truth.tolist(),
            "estimate": estimate.tolist(), "parts": parts}


def cases(seed):
    rng = np.random.default_rng(seed)
    plain = [case(rng, 3, 1, 5, (0.3, 0.3), 0.3, True), case(rng, 2, 2, 4, (0.2, 0.8), 0.3, False),
             case(rng, 2, 1, 6, (0.05, 0.1), 0.0, True), case(rng, 2, 0, 5, (0.4, 0.4), 0.5, True)]
    empty = [case(rng, 2, 1, 4, (0.0, 0.3), 0.3, True), case(rng, 2, 1, 4, (0.3, 0.0), 0.3, True),
             case(rng, 1, 1, 3, (0.0, 0.0), 0.3, True)]
    return {"cases": plain + empty}


def close(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    if a is None or b is None or isinstance(a, bool):
        return a == b
    return abs(a - b) < 1e-12


def main():
    if "--write" in sys.argv:
        with open(GOLDEN, "w") as file:
            json.dump(cases(1), file, separators=(",", ":"))
            file.write("\n")
        return
    with open(GOLDEN) as file:
        if not close(json.load(file), cases(1)):
            sys.exit(f"{GOLDEN} is not what scikit-learn says")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scores.json")
        seed = int.from_bytes(os.urandom(4), "big")
        with open(path, "w") as file:
            json.dump({"cases": [c for k in range(10) for c in cases(seed + k)["cases"]]}, file)
        # The whole workspace, so that what the other tests compiled is used again.
        command = ["cargo", "test", "-q", "--workspace", "--test", "scores"]
        done = subprocess.run(command, env={**os.environ, "DYCAUSAL_SCORES": path}, check=False)
        if done.returncode:
            sys.exit(f"scores differ from scikit-learn's with seed {seed}")
    print("scores equal scikit-learn's on the golden values and on 70 random cases")


main()
