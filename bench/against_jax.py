#!/usr/bin/env python3
"""The published method and the ordered engine, side by side with the JAX peer: same data, one thread each.

    python3 -m venv VENV && VENV/bin/pip install jax numpy
    VENV/bin/python bench/against_jax.py PEER.py [--variables 20 80] [--seeds 1000 1001] [--repeat 2]

PEER.py is called as `PEER.py SERIES.npy WEIGHTS.npy --lag 1 --window 2 --step 4 --threads 1` and prints
JSON with `fit_s` last. Build first: cargo build --release -p dycausal-lab --example published_peer

Prints, per number of variables and seed: seconds of the optimisation (compiling left out), F1 at
t = 1 / 25 / 50, how long the free encoder takes to reach the peer's mean F1, and the ordered engine.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

THRESHOLD = 0.3
TIMES = (0, 24, 49)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
OURS = os.path.join(ROOT, "target", "release", "examples", "published_peer")


def last_json(command):
    # The same cap for both sides: no library may start a thread of its own.
    environment = dict(os.environ, OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def f1(truth, estimate):
    """F1 at the three times, in percent."""
    found = []
    for t in TIMES:
        a, b = np.abs(truth[t]) > THRESHOLD, np.abs(estimate[t]) > THRESHOLD
        found.append(100 * 2 * (a & b).sum() / max(a.sum() + b.sum(), 1))
    return found


def ours(folder, variables, seed, *parameters):
    taken = last_json([OURS, f"out={folder}", f"variables={variables}", f"seed={seed}", *parameters])
    truth = np.load(os.path.join(folder, "truth.npy"))
    return taken["fit_s"], f1(truth, np.load(os.path.join(folder, "weights.npy")))


def peer(script, folder, iterations):
    out = os.path.join(folder, "peer.npy")
    command = [sys.executable, script, os.path.join(folder, "series.npy"), out, "--lag", "1"]
    command += ["--window", "2", "--step", "4", "--threads", "1", "--iterations", str(iterations)]
    taken = last_json(command)
    truth = np.load(os.path.join(folder, "truth.npy"))
    return taken["fit_s"], f1(truth, np.load(out))


def time_to(target, folder, variables, seed):
    """Seconds of the first of ever longer fits of the free encoder that reaches a mean F1."""
    for iterations in (50, 100, 150, 200, 300, 500, 800, 1500):
        seconds, scores = ours(folder, variables, seed, "encoder=free", "acyclic=union", f"iterations={iterations}")
        if np.mean(scores) >= target:
            return iterations, seconds, scores
    return None


def text(scores):
    return "/".join(f"{x:.1f}" for x in scores)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("peer")
    p.add_argument("--variables", type=int, nargs="+", default=[20, 80])
    p.add_argument("--seeds", type=int, nargs="+", default=[1000])
    p.add_argument("--iterations", type=int, default=1500)
    p.add_argument("--repeat", type=int, default=1, help="timings alternate so many times; the best counts")
    args = p.parse_args()
    print("| d | seed | peer s | ours s | ratio | peer F1 | ours F1 | free: steps, s, F1 | ratio | ordered s | F1 | ratio |")
    print("|" + "---|" * 12)
    for variables in args.variables:
        for seed in args.seeds:
            with tempfile.TemporaryDirectory() as folder:
                mine, theirs = [], []
                for _ in range(args.repeat):
                    mine.append(ours(folder, variables, seed, f"iterations={args.iterations}"))
                    theirs.append(peer(args.peer, folder, args.iterations))
                a, b = min(mine), min(theirs)
                row = f"| {variables} | {seed} | {b[0]:.2f} | {a[0]:.2f} | {b[0] / a[0]:.2f} | {text(b[1])} | {text(a[1])} |"
                reached = time_to(np.mean(b[1]), folder, variables, seed)
                if reached:
                    iterations, seconds, scores = reached
                    row += f" 4 x {iterations}, {seconds:.2f}, {text(scores)} | {b[0] / seconds:.1f} |"
                else:
                    row += " not reached | |"
                runs = [ours(folder, variables, seed, "method=ordered", "bands=false") for _ in range(args.repeat + 1)]
                seconds, scores = min(runs)
                row += f" {seconds:.4f} | {text(scores)} | {b[0] / seconds:.0f} |"
                print(row, flush=True)


main()
