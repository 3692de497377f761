#!/usr/bin/env python3
"""Methods to compare with, side by side with the packages they come from: same data, one thread each, one run.

    python3 -m venv VENV && VENV/bin/pip install numpy tigramite lingam dagma antecedent
    cargo build --release -p dycausal-lab --example static_peers
    VENV/bin/python bench/against_peers.py [--accuracy] [--variables 10 40 80] [--repeat 3]

The data are the static linear task of the paper: one series of 1000 steps, lag 2, weights from [0.3, 0.5]. Times are
the shortest of some fits, reading left out; those of the packages in CPU seconds, so that a busy machine does not
count against them, ours in seconds on the clock. `--accuracy` prints the F1 over ten seeds too, on plain and on
standardised columns. An instantaneous link that a package leaves undirected counts in the direction of the numbers
of its variables.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (after the number of threads is set)

LAG = 2
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
OURS = os.path.join(ROOT, "target", "release", "examples", "static_peers")


def quiet(function):
    """Runs a package that writes to the screen."""
    kept = os.dup(1), os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        return function()
    finally:
        sys.stdout.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)


def from_tigramite(graph):
    """Links as [lag, from, to]; undirected ones from the smaller number to the larger."""
    links = np.moveaxis(graph == "-->", 2, 0)
    open_links = np.triu((graph[:, :, 0] == "o-o") | (graph[:, :, 0] == "x-x"))
    links[0] |= open_links
    return links


def tigramite_pcmci(x):
    from tigramite import data_processing
    from tigramite.independence_tests.parcorr import ParCorr
    from tigramite.pcmci import PCMCI

    model = PCMCI(data_processing.DataFrame(x), ParCorr())
    return from_tigramite(model.run_pcmci(tau_min=0, tau_max=LAG, pc_alpha=0.05, alpha_level=0.05)["graph"])


def tigramite_pcmci_plus(x):
    from tigramite import data_processing
    from tigramite.independence_tests.parcorr import ParCorr
    from tigramite.pcmci import PCMCI

    model = PCMCI(data_processing.DataFrame(x), ParCorr())
    return from_tigramite(model.run_pcmciplus(tau_min=0, tau_max=LAG, pc_alpha=0.01)["graph"])


def antecedent_pcmci_plus(x):
    from antecedent.discovery import PCMCIPlus

    frame = {f"x{k}": x[:, k] for k in range(x.shape[1])}
    # As many conditions as there are, and no adjustment: what PCMCI+ does.
    return PCMCIPlus(max_lag=LAG, alpha=0.01, fdr=False, max_cond_size=x.shape[1]).run(frame, threads=1)


def lingam_var(x):
    import lingam

    model = lingam.VARLiNGAM(lags=LAG, criterion="bic", prune=True)
    model.fit(x - x.mean(axis=0))
    return np.swapaxes(model.adjacency_matrices_, 1, 2) != 0


def dagma_lags(x):
    from dagma.linear import DagmaLinear

    d = x.shape[1]
    rows = np.column_stack([x[LAG - back : len(x) - back] for back in range(LAG + 1)])
    past = tuple((i, j) for i in range(d * (LAG + 1)) for j in range(d, d * (LAG + 1)))
    found = DagmaLinear(loss_type="l2").fit(rows, lambda1=0.03, w_threshold=0.1, exclude_edges=past)
    return found[:, :d].reshape(LAG + 1, d, d) != 0


# Peer, our method, our parameters, sizes at which they are compared, how often faster ours has to be.
PAIRS = [
    ("tigramite PCMCI", tigramite_pcmci, "pcmci", [], (10, 40), 20),
    ("tigramite PCMCI+", tigramite_pcmci_plus, "pcmci-plus", [], (10, 40), 1),
    ("antecedent PCMCI+", antecedent_pcmci_plus, "pcmci-plus", [], (10, 40, 80), 1),
    ("lingam VARLiNGAM", lingam_var, "var-lingam", [], (10, 40), 10),
    ("dagma on lags", dagma_lags, "dagma", ["threshold=0.1"], (10, 40), 5),
]
TASKS = ["pcmci", "pcmci-plus", "granger", "var-lingam", "dynotears", "dagma threshold=0.1", "ordered movement=constant"]


def ours(*words):
    done = subprocess.run([OURS, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def cpu_seconds(function, x, repeat):
    fastest, found = np.inf, None
    for _ in range(repeat):
        copy = x.copy()
        begun = time.process_time()
        found = quiet(lambda: function(copy))
        fastest = min(fastest, time.process_time() - begun)
    return fastest, found


def f1(truth, found):
    there = truth[0] != 0
    both = (there & found[: len(there)]).sum() if len(found) >= len(there) else (there[: len(found)] & found).sum()
    return 2 * both / max(there.sum() + found.sum(), 1)


def speed(options, folder):
    print(f"{'peer':20} {'ours':12} {'d':>4} {'peer s':>10} {'ours s':>10} {'ratio':>8}  asked")
    missed = []
    for name, peer, method, words, sizes, asked in PAIRS:
        for d in (size for size in sizes if size in options.variables):
            arguments = [f"method={method}", *words, f"variables={d}", "seeds=1", f"out={folder}"]
            taken = ours(*arguments, f"repeat={options.repeat + 2}")["seconds_mean"]
            x = np.load(os.path.join(folder, "series-7000.npy"))[0]
            seconds, _ = cpu_seconds(peer, x, options.repeat if d <= 10 else 1)
            ratio = seconds / taken
            print(f"{name:20} {method:12} {d:4} {seconds:10.4f} {taken:10.4f} {ratio:8.1f}  {asked}", flush=True)
            if ratio < asked:
                missed.append(f"{name} at d={d}")
    return missed


def accuracy(folder):
    print(f"\n{'F1, d=10, ten seeds':34} {'plain':>8} {'standardised':>13}")
    for task in TASKS:
        method, *words = task.split()
        scores = [ours(f"method={method}", *words, f"standardise={s}")["f1_mean"] for s in ("false", "true")]
        print(f"ours: {task:28} {scores[0]:8.3f} {scores[1]:13.3f}", flush=True)
    for name, peer, *_ in PAIRS:
        if peer is antecedent_pcmci_plus:
            continue
        means = []
        for standardise in ("false", "true"):
            ours("method=granger", f"standardise={standardise}", f"out={folder}")
            scores = []
            for seed in range(7000, 7010):
                x = np.load(os.path.join(folder, f"series-{seed}.npy"))[0]
                found = quiet(lambda x=x: peer(x))
                scores.append(f1(np.load(os.path.join(folder, f"truth-{seed}.npy")), found))
            means.append(np.mean(scores))
        print(f"{name:34} {means[0]:8.3f} {means[1]:13.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 40, 80])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--accuracy", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        missed = speed(options, folder)
        if options.accuracy:
            accuracy(folder)
    if missed:
        sys.exit("slower than asked: " + ", ".join(missed))


if __name__ == "__main__":
    main()
