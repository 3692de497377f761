#!/usr/bin/env python3
"""Golden values of Gaussian processes: evidence and gradients from scikit-learn, on data that Rust makes too.

  golden_gp.py            compares the committed numbers with what these packages say
  golden_gp.py --write    writes them anew

scikit-learn has the covariances `smooth`, `rough` and `linear_and_smooth`, with a constant and white noise added; its
gradients by length scales are brought to relevances by the chain rule. It has no arcsine and no sums of products: for
those the evidence is written out with numpy, and its gradient measured by complex steps. Needs numpy and scikit-learn;
run from the root of the workspace. Rust compares with them in crates/dycausal/src/scores/gp/tests.rs.
"""

import json
import sys

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern, WhiteKernel

GOLDEN = "crates/dycausal/src/scores/gp/golden.json"
ROWS, INPUTS, MEAN = 40, 3, 10.0
MASK = (1 << 64) - 1


def noise(k):
    """SplitMix64, from -0.5 to 0.5: the same bits everywhere."""
    z = (k + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 11) / (1 << 53) - 0.5


X = np.array([[3 * noise(a * INPUTS + j) for j in range(INPUTS)] for a in range(ROWS)])
Y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + np.array([noise(1000 + a) for a in range(ROWS)])
RELEVANCE = np.array([0.7, 0.4, 0.9])
SIZE, NOISE = np.log(1.3), np.log(0.25)


def from_scikit_learn(kernel):
    """Evidence and gradient of a kernel whose parameters are constants and length scales, in its own order."""
    process = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(X, Y)
    return process.log_marginal_likelihood(process.kernel_.theta, eval_gradient=True)


def radial(profile):
    """Size times a function of r², a constant, noise: theta is size, length scales, noise (the constant is fixed)."""
    kernel = (
        ConstantKernel(np.exp(SIZE)) * profile(length_scale=1 / RELEVANCE)
        + ConstantKernel(MEAN, "fixed")
        + WhiteKernel(np.exp(NOISE))
    )
    value, slope = from_scikit_learn(kernel)
    by_relevance = slope[1 : 1 + INPUTS] * -1 / RELEVANCE  # log length = -log relevance
    gradient = [*(-by_relevance), -slope[0], -slope[1 + INPUTS]]
    return -value, gradient, [*RELEVANCE, SIZE, NOISE]


def evidence(parameters, covariance):
    """The negative log evidence, for complex parameters too."""
    w, (size, noise_, *own) = parameters[:INPUTS], parameters[INPUTS:]
    k = covariance(w, np.exp(size), own) + MEAN + np.exp(noise_) * np.eye(ROWS)
    sign, log_det = np.linalg.slogdet(k)
    log_det = np.log(sign) + log_det if np.iscomplexobj(k) else log_det
    return 0.5 * (Y @ np.linalg.solve(k, Y) + log_det + ROWS * np.log(2 * np.pi))


def by_complex_steps(parameters, covariance):
    """Value and gradient; a complex step has no rounding error of differences."""
    gradient = []
    for k in range(len(parameters)):
        moved = np.array(parameters, complex)
        moved[k] += 1e-30j
        gradient.append(float(np.imag(evidence(moved, covariance)) / 1e-30))
    return float(evidence(np.array(parameters), covariance)), gradient, list(parameters)


def arcsine(w, size, own):
    """s_f² asin(2S_ab / √((1 + 2S_aa)(1 + 2S_bb)))."""
    s = 2 * (np.exp(own[0]) + (X * w**2) @ X.T)
    root = np.sqrt(1 + np.diag(s))
    return size * np.arcsin(s / root[:, None] / root[None, :])


def sums(w, size, own):
    """Functions of one input each, and products of two."""
    length, ratio = np.exp(own[0]), np.exp(own[1])
    parts = [w[j] ** 2 * np.exp(-0.5 * ((X[:, None, j] - X[None, :, j]) / length) ** 2) for j in range(INPUTS)]
    pairs = sum(parts[j] * parts[k] for j in range(INPUTS) for k in range(j))
    return size * (sum(parts) + ratio * pairs)


def linear_and_smooth(w, size, own):
    """A plane and a smooth function."""
    away = sum((w[j] * (X[:, None, j] - X[None, :, j])) ** 2 for j in range(INPUTS))
    return np.exp(own[0]) * (X * w**2) @ X.T + size * np.exp(-0.5 * away)


def check_by_scikit_learn(found):
    """The plane with a smooth function, value alone: relevances are shared, which scikit-learn cannot say."""
    scaled = X * RELEVANCE
    kernel = ConstantKernel(np.exp(0.2)) * DotProduct(0.0) + ConstantKernel(np.exp(SIZE)) * RBF(1.0)
    kernel = kernel + ConstantKernel(MEAN) + WhiteKernel(np.exp(NOISE))
    process = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(scaled, Y)
    assert abs(-process.log_marginal_likelihood_value_ - found) < 1e-9, found


def values():
    """Everything that is compared."""
    plain = [*RELEVANCE, SIZE, NOISE]
    out = {
        "smooth": radial(RBF),
        "rough": radial(lambda length_scale: Matern(length_scale, nu=2.5)),
        "arcsine": by_complex_steps([*plain, -1.1], arcsine),
        "linear_and_smooth": by_complex_steps([*plain, 0.2], linear_and_smooth),
        "sums": by_complex_steps([*plain, -0.3, -1.2], sums),
    }
    check_by_scikit_learn(out["linear_and_smooth"][0])
    names = ("value", "gradient", "parameters")
    return {family: dict(zip(names, told, strict=True)) for family, told in out.items()}


def main():
    """Compares or writes."""
    found = json.loads(json.dumps(values(), default=float))
    if "--write" in sys.argv:
        with open(GOLDEN, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
        return
    with open(GOLDEN, encoding="utf-8") as file:
        kept = json.load(file)
    for family, told in found.items():
        for name, value in told.items():
            np.testing.assert_allclose(value, kept[family][name], rtol=1e-9, atol=1e-9, err_msg=f"{family} {name}")
    print("the committed values are those of these packages")


if __name__ == "__main__":
    main()
