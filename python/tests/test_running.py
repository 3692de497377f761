"""What happens while a fit runs: signals, progress, other threads, other processes."""

import contextlib
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from dycausal import DyCausal, LaggedLeastSquares, Ordered, progress

#: Takes minutes where nothing stops it.
LONG = """
import sys, time
import numpy as np
from dycausal import {kind}
X = np.random.default_rng(0).normal(size={size})
print("begun", flush=True)
try:
    {kind}({parameters}).fit(X)
except KeyboardInterrupt:
    print(time.time(), flush=True)
    X.sum()  # memory that is still read may be used on
    time.sleep(0.3)
    sys.exit(7)
"""


@pytest.mark.parametrize(
    ("kind", "size", "parameters"),
    [
        ("DyCausal", (50, 40, 12), "iterations=10**7"),
        ("Ordered", (4, 400, 60), "lag=3, resamples=10**5"),
    ],
)
def test_ctrl_c_stops_a_fit_within_a_fifth_of_a_second(kind, size, parameters):
    code = LONG.format(kind=kind, size=size, parameters=parameters)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        time.sleep(1.0)
        assert child.poll() is None, "the fit was over before it could be stopped"
        sent = time.time()
        child.send_signal(signal.SIGINT)
        stopped = float(child.stdout.readline())
        assert stopped - sent < 0.2
        assert child.wait(timeout=20) == 7
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_other_threads_run_while_a_fit_does():
    class CountedError(Exception):
        pass

    counted = []
    begun = threading.Event()

    def count():
        begun.wait()
        while len(counted) < 5000:
            counted.append(time.monotonic())

    def listen(*_):
        begun.set()
        if len(counted) == 5000:
            raise CountedError
        assert time.monotonic() - began < 60, "the other thread does not get on"

    counter = threading.Thread(target=count)
    counter.start()
    began = time.monotonic()
    with pytest.raises(CountedError):
        DyCausal(iterations=10**7, progress=listen).fit(np.random.default_rng(0).normal(size=(50, 40, 12)))
    counter.join()


def test_fits_on_several_threads_of_python_do_not_disturb_each_other(made):
    alone = Ordered(n_jobs=1).fit(made.X).graph_
    found = [None] * 4

    def work(k):
        found[k] = Ordered(n_jobs=1).fit(made.X).graph_

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(graph == alone for graph in found)


def _fit_in_child(X, queue):
    queue.put(Ordered().fit(X).weights_)


def test_a_process_that_forks_after_a_fit_can_fit_again(made):
    here = Ordered().fit(made.X).weights_
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_fit_in_child, args=(made.X, queue))
    child.start()
    there = queue.get(timeout=60)
    child.join(timeout=10)
    assert here.tobytes() == there.tobytes()


def test_a_function_is_told_of_the_progress(made):
    told = []
    LaggedLeastSquares(progress=lambda *news: told.append(news)).fit(made.X)
    assert told[-1] == ("checks", 0, None, "")


def test_what_a_listener_raises_stops_the_fit():
    class EnoughError(Exception):
        pass

    def listen(*_):
        raise EnoughError

    X = np.random.default_rng(0).normal(size=(50, 40, 12))
    began = time.monotonic()
    with pytest.raises(EnoughError):
        DyCausal(iterations=10**7, progress=listen).fit(X)
    assert time.monotonic() - began < 2


def test_nothing_is_shown_where_nobody_looks(made, capfd):
    LaggedLeastSquares().fit(made.X)
    assert capfd.readouterr() == ("", "")


def test_a_terminal_shows_a_bar_and_keeps_nothing(made):
    import pty

    master, slave = pty.openpty()
    code = (
        "import numpy as np; from dycausal import DyCausal;"
        "DyCausal(iterations=2000, stages=2).fit(np.random.default_rng(0).normal(size=(30, 20, 5)))"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    child = subprocess.Popen(command, stderr=slave, stdout=subprocess.DEVNULL)
    os.close(slave)
    shown = b""
    with contextlib.suppress(OSError):  # a terminal that nobody writes to any more cannot be read
        while part := os.read(master, 1 << 16):
            shown += part
    os.close(master)
    assert child.wait() == 0
    shown = shown.decode()
    assert "%" in shown
    assert shown.endswith("\r\x1b[2K")


def test_the_bar_is_full_at_the_end():
    stream = io.StringIO()
    bar = progress.TerminalBar(stream)
    bar("order", 5, 10, "score 3")
    bar("order", 10, 10, "")
    bar("weights", 0, None, "")
    bar.close()
    assert " 50 %" in stream.getvalue()
    assert "100 %" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[2K")


def test_a_notebook_gets_its_own_bar(monkeypatch):
    updates = []

    class Handle:
        def update(self, data, raw):
            updates.append(data["text/plain"])

    class ZMQInteractiveShell:
        pass

    import types

    display = types.ModuleType("IPython.display")
    display.display = lambda *_, **__: Handle()
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: ZMQInteractiveShell()
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    bar = progress.bar_for("auto")
    assert isinstance(bar, progress.NotebookBar)
    bar("order", 1, 2, "")
    bar.close()
    assert " 50 %" in updates[0]
    assert updates[-1] == ""
