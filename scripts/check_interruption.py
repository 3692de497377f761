"""How long each method goes on after SIGTERM: scripts/check_interruption.py PROGRAM [--times N] [--variables D] [--steps T].

Stops fits of one series at random moments, prints the slowest answer of each method, and exits with 1 if one took longer
than half a second or left anything behind but what it can go on from.
"""

from __future__ import annotations

import argparse
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

METHODS = (
    "ordered dycausal lagged-least-squares pcmci pcmci-plus granger var-lingam dagma dynotears windowed pooled".split()
)
LIMIT = 0.5


def write(path: Path, steps: int, variables: int) -> None:
    """An NPY file of noise."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': (1, {steps}, {variables}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    noise = random.Random(5)
    values = (noise.gauss(0, 1) for _ in range(steps * variables))
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for value in values:
            file.write(struct.pack("<d", value))


def stop(program: str, folder: Path, method: str, after: float) -> float | None:
    """Seconds from the signal to the end; none where it had ended before."""
    words = [program, "fit", "data.npy", "-o", "run", "--force", "--lag", "1", "--method", method, "--report"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(words, cwd=folder, **quiet)
    try:
        child.wait(after)
    except subprocess.TimeoutExpired:
        pass
    else:
        return None
    begun = time.monotonic()
    child.send_signal(signal.SIGTERM)
    code = child.wait()
    took = time.monotonic() - begun
    left = {path.name for path in folder.iterdir()} - {"data.npy", "run", "run.unfinished"}
    if left or code != 130:
        sys.exit(f"{method} after {after:.2f} s: exit {code}, left {sorted(left)}")
    return took


def main() -> None:
    """Stops every method so many times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--times", type=int, default=8)
    parser.add_argument("--variables", type=int, default=100)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--most", type=float, default=8.0, help="the latest moment, in seconds")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    moments, slow = random.Random(7), 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write(folder / "data.npy", arguments.steps, arguments.variables)
        for method in METHODS:
            took = [stop(program, folder, method, moments.uniform(0.02, arguments.most)) for _ in range(arguments.times)]
            answers = [seconds for seconds in took if seconds is not None]
            worst = max(answers, default=0.0)
            print(f"{method:22} {len(answers):3} stopped, slowest answer {worst:.3f} s", flush=True)
            slow = max(slow, worst)
    sys.exit(slow > LIMIT)


main()
