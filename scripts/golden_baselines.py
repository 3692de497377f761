#!/usr/bin/env python3
"""Golden values of the methods to compare with: what other packages say of data that Rust makes too.

  golden_baselines.py                   compares the committed numbers with what the packages say
  golden_baselines.py --write           writes them anew
  golden_baselines.py pcmci ...         only these parts

pip install tigramite statsmodels lingam dagma; run from the root of the workspace. Rust compares in the
tests of crates/dycausal-baselines/src.
"""

import json
import sys

import numpy as np

FOLDER = "crates/dycausal-baselines/src/golden"
MASK = (1 << 64) - 1
LAG = 2
# Variables, steps and series of the data sets; cells are missing from the fourth, and the third
# series of the fifth is shorter than the others.
SETS = [(3, 150, 1), (4, 200, 1), (6, 300, 1), (5, 250, 1), (4, 80, 3)]
HOLES, SHORTER = 3, 4


def noise(k):
    """SplitMix64, from -0.5 to 0.5: the same bits everywhere."""
    z = (k + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 11) / (1 << 53) - 0.5


def weights(number, d):
    """Weights[lag, from, to]: causes within a step have smaller numbers than effects."""
    w = np.zeros((LAG + 1, d, d))
    for lag in range(LAG + 1):
        for i in range(d):
            for j in range(d):
                k = 1_000_003 * (number + 1) + (lag * d + i) * d + j
                size = (0.35 + 0.4 * abs(noise(2 * k))) / (1.0 + 0.75 * lag)
                there = noise(2 * k + 1) < [0.1, -0.3, -0.4][lag]
                if lag == 0 and i >= j:
                    there = False
                if lag == 1 and i == j:
                    there, size = True, 0.3
                w[lag, i, j] = (size if noise(k) > 0.0 else -size) if there else 0.0
    return w


def data(number, gaps=True):
    """Values[series, step, variable] with NaN where cells are missing."""
    d, steps, series = SETS[number]
    w = weights(number, d)
    x = np.zeros((series, steps, d))
    for n in range(series):
        for t in range(steps):
            for j in range(d):
                k = 7_000_000 * (number + 1) + (n * steps + t) * d + j
                value = (1.0 + 0.3 * j) * noise(k)
                for lag in range(min(LAG, t), -1, -1):
                    for i in range(d):
                        if w[lag, i, j] != 0.0:
                            value += w[lag, i, j] * x[n, t - lag, i]
                x[n, t, j] = value
    if gaps and number == HOLES:
        for k in range(0, steps, 9):
            x[0, k, k % d] = np.nan
    if gaps and number == SHORTER:
        x[2, steps - 25 :, :] = np.nan
    return x


def rounded(array):
    return [float(f"{x:.13g}") for x in np.asarray(array, dtype=float).ravel()]


def tigramite_frame(number):
    from tigramite import data_processing

    x = data(number)
    lengths = [int(np.flatnonzero(~np.isnan(s).all(axis=1)).max()) + 1 for s in x]
    filled = np.where(np.isnan(x), 999.0, x)
    if len(x) == 1:
        return data_processing.DataFrame(filled[0], missing_flag=999.0)
    parts = {n: filled[n, :length] for n, length in enumerate(lengths)}
    return data_processing.DataFrame(parts, analysis_mode="multiple", missing_flag=999.0)


def by_lag(array):
    """tigramite's [from, to, lag] as [lag, from, to]."""
    return np.moveaxis(np.asarray(array), 2, 0)


def pcmci():
    """Every data set with both tests, and PCMCI+ with all three rules for colliders."""
    from tigramite.independence_tests.parcorr import ParCorr
    from tigramite.independence_tests.robust_parcorr import RobustParCorr
    from tigramite.pcmci import PCMCI

    out = []
    for number in range(len(SETS)):
        for name, test in [("parcorr", ParCorr), ("robust_parcorr", RobustParCorr)]:
            frame = tigramite_frame(number)
            found = PCMCI(frame, test()).run_pcmci(tau_min=0, tau_max=LAG, pc_alpha=0.2, alpha_level=0.05)
            adjusted = PCMCI(frame, test()).run_pcmci(
                tau_min=1, tau_max=LAG, pc_alpha=0.2, alpha_level=0.05, fdr_method="fdr_bh"
            )
            entry = {"set": number, "test": name}
            entry["pcmci"] = {
                "values": rounded(by_lag(found["val_matrix"])),
                "p": rounded(by_lag(found["p_matrix"])),
                "links": by_lag(found["graph"]).ravel().tolist(),
                "adjusted_links": by_lag(adjusted["graph"]).ravel().tolist(),
            }
            plus = {}
            for rule in ["majority", "conservative", "none"]:
                found = PCMCI(frame, test()).run_pcmciplus(
                    tau_min=0, tau_max=LAG, pc_alpha=0.05, contemp_collider_rule=rule
                )
                plus[rule] = by_lag(found["graph"]).ravel().tolist()
            plus["values"] = rounded(by_lag(found["val_matrix"]))
            plus["p"] = rounded(by_lag(found["p_matrix"]))
            entry["pcmci_plus"] = plus
            out.append(entry)
    return out


def lagged(x, lag):
    """Complete rows of all series: values now, and at lags 1 to lag beside each other."""
    now, past = [], []
    for series in x:
        for t in range(lag, len(series)):
            row = np.concatenate([series[t - back] for back in range(lag + 1)])
            if not np.isnan(row).any():
                now.append(row[: x.shape[2]])
                past.append(row[x.shape[2] :])
    return np.array(now), np.array(past)


def granger():
    """Least squares with Wald tests of statsmodels, a ridge by numpy, and the lasso of scikit-learn."""
    import statsmodels.api as sm
    from sklearn.linear_model import LassoLarsIC

    out = []
    for number in range(len(SETS)):
        y, z = lagged(data(number), LAG)
        d = y.shape[1]
        shape = (LAG, d, d)
        entry = {"set": number}
        plain, ridge, lasso = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        tests = {name: np.zeros((d, d)) for name in ["wald", "robust", "wald_p", "robust_p"]}
        centred = z - z.mean(axis=0)
        gram = centred.T @ centred
        for to in range(d):
            model = sm.OLS(y[:, to], sm.add_constant(z))
            plain[:, :, to] = model.fit().params[1:].reshape(LAG, d)
            for name, kind in [("wald", "nonrobust"), ("robust", "HC3")]:
                fitted = model.fit(cov_type=kind)
                for cause in range(d):
                    pick = np.zeros((LAG, 1 + d * LAG))
                    for back in range(LAG):
                        pick[back, 1 + back * d + cause] = 1.0
                    found = fitted.wald_test(pick, use_f=True, scalar=True)
                    tests[name][cause, to] = float(found.statistic) * LAG
                    tests[name + "_p"][cause, to] = float(found.pvalue)
            shrunk = np.linalg.solve(gram + 0.1 * np.diag(np.diag(gram)), centred.T @ (y[:, to] - y[:, to].mean()))
            ridge[:, :, to] = shrunk.reshape(LAG, d)
            units = z.std(axis=0)
            lasso[:, :, to] = (LassoLarsIC(criterion="bic").fit(z / units, y[:, to]).coef_ / units).reshape(LAG, d)
        entry.update({name: rounded(values) for name, values in tests.items()})
        entry.update(weights=rounded(plain), ridge=rounded(ridge), lasso=rounded(lasso))
        out.append(entry)
    return out


def lingam():
    """VAR-LiNGAM of lingam; for several series its parts on the rows of all of them."""
    import lingam as package
    from lingam.utils import predict_adaptive_lasso
    from sklearn.linear_model import LinearRegression

    def on_rows(x, lag, prune):
        y, z = lagged(x, lag)
        d = y.shape[1]
        model = package.DirectLiNGAM()
        model.fit(y - z @ np.linalg.lstsq(z, y, rcond=None)[0])
        order = [int(v) for v in model.causal_order_]
        weights = np.zeros((lag + 1, d, d))
        for place, to in enumerate(order):
            regressors = np.column_stack([y[:, order[:place]], z])
            if prune:
                stacked = np.column_stack([regressors, y[:, to]])
                coef = predict_adaptive_lasso(stacked, list(range(regressors.shape[1])), regressors.shape[1])
            else:
                coef = LinearRegression().fit(regressors, y[:, to]).coef_
            weights[0, order[:place], to] = coef[:place]
            weights[1:, :, to] = coef[place:].reshape(lag, d)
        return order, weights

    out = []
    for number in range(len(SETS)):
        x = data(number, gaps=False)
        x = x - x.mean(axis=(0, 1))
        entry = {"set": number}
        for name, prune in [("pruned", True), ("full", False)]:
            if len(x) == 1 and prune:
                model = package.VARLiNGAM(lags=LAG, criterion="bic", prune=True)
                model.fit(x[0])
                order = [int(v) for v in model.causal_order_]
                weights = np.swapaxes(model.adjacency_matrices_, 1, 2)
            else:
                order, weights = on_rows(x, chosen_lag(x) if prune else LAG, prune)
            entry[name] = {"order": order, "weights": rounded(weights)}
        out.append(entry)
    return out


def chosen_lag(x):
    """The lag of smallest BIC, as statsmodels has it, over the rows of all series."""
    values = []
    for lag in range(1, LAG + 1):
        y, z = lagged(x, lag)
        rest = y - z @ np.linalg.lstsq(z, y, rcond=None)[0]
        n, d = y.shape
        values.append(np.linalg.slogdet(rest.T @ rest / n)[1] + np.log(n) / n * lag * d * d)
    return 1 + int(np.argmin(values))


def dagma():
    """DAGMA on variables and lags beside each other, without edges into what is past."""
    from dagma.linear import DagmaLinear

    out = []
    for number in range(len(SETS)):
        y, z = lagged(data(number, gaps=False), LAG)
        d = y.shape[1]
        columns = d * (LAG + 1)
        past = tuple((i, j) for i in range(columns) for j in range(d, columns))
        found = DagmaLinear(loss_type="l2").fit(
            np.column_stack([y, z]), lambda1=0.01, w_threshold=0.1, exclude_edges=past
        )
        out.append({"set": number, "weights": rounded(found[:, :d].reshape(LAG + 1, d, d))})
    return out


def dynotears():
    """The augmented Lagrangian of the paper with the L-BFGS-B of scipy: what its solution costs."""
    from scipy.linalg import expm
    from scipy.optimize import minimize

    def solve(now, past, penalty, tolerance=1e-8):
        n, d = now.shape
        size = d * (d + past.shape[1])

        def unpack(parts):
            weights = (parts[:size] - parts[size:]).reshape(-1, d)
            return weights[:d], weights[d:]

        def cyclicity(within):
            return np.trace(expm(within * within)) - d

        def loss(within, lags):
            return 0.5 / n * np.square(now - now @ within - past @ lags).sum()

        def function(parts):
            within, lags = unpack(parts)
            h = cyclicity(within)
            value = loss(within, lags) + 0.5 * rho * h * h + alpha * h + penalty * parts.sum()
            rest = now @ within + past @ lags - now
            slope = 2 * within * expm(within * within).T
            gradient = np.vstack([now.T @ rest / n + (rho * h + alpha) * slope, past.T @ rest / n]).ravel()
            return value, np.concatenate([gradient, -gradient]) + penalty

        own = np.zeros((d + past.shape[1], d), dtype=bool)
        own[range(d), range(d)] = True
        bounds = [(0, 0) if fixed else (0, None) for fixed in own.ravel()] * 2
        parts, rho, alpha, before = np.zeros(2 * size), 1.0, 0.0, np.inf
        for _ in range(100):
            while rho < 1e20:
                found = minimize(function, parts, method="L-BFGS-B", jac=True, bounds=bounds)
                h = cyclicity(unpack(found.x)[0])
                if h <= 0.25 * before:
                    break
                rho *= 10
            parts, before = found.x, h
            alpha += rho * h
            if h <= tolerance:
                break
        within, lags = unpack(parts)
        return loss(within, lags) + penalty * (np.abs(within).sum() + np.abs(lags).sum())

    out = []
    for number in range(len(SETS)):
        y, z = lagged(data(number, gaps=False), LAG)
        for penalty in [0.005, 0.02]:
            objective = solve(y - y.mean(axis=0), z - z.mean(axis=0), penalty)
            out.append({"set": number, "penalty": penalty, "objective": float(f"{objective:.13g}")})
    return out


PARTS = {"pcmci": pcmci, "granger": granger, "lingam": lingam, "dagma": dagma, "dynotears": dynotears}


def same(a, b, tolerance):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k], tolerance) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return abs(a - b) <= tolerance * (1 + abs(a))
    return a == b


def main():
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")] or list(PARTS)
    for name in chosen:
        path = f"{FOLDER}/{name}.json"
        found = PARTS[name]()
        if "--write" in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(found, file, separators=(",", ":"))
                file.write("\n")
            print(f"{path} written")
        else:
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            if not same(kept, found, 1e-6):
                sys.exit(f"{path} differs from what the packages say now")
            print(f"{path} agrees")


if __name__ == "__main__":
    main()
