"""A progress bar in a terminal or a notebook; nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Literal, Protocol

#: Told of the progress of a fit: stage, units done, units in all or None, a note.
Listener = Callable[[str, int, "int | None", str], object]

#: Whether to show a bar: "auto" shows one where somebody may look; or a function to call instead.
Progress = bool | Literal["auto"] | Listener

_WIDTH = 32


class Bar(Protocol):
    """Shows how far a fit is, and leaves nothing behind."""

    def __call__(self, stage: str, done: int, total: int | None, note: str) -> None:
        """Shows it."""
        ...

    def close(self) -> None:
        """Takes it away."""
        ...


def line(stage: str, done: int, total: int | None, note: str, seconds: float) -> str:
    """One line of progress: a bar where the end is known, the seconds where it is not."""
    if not total:
        return f"{stage:>14}  {seconds:.1f} s  {note}".rstrip()
    share = min(1.0, done / total)
    full = int(share * _WIDTH)
    bar = "━" * full + " " * (_WIDTH - full)
    return f"{stage:>14} [{bar}] {100 * share:3.0f} %  {note}".rstrip()


class TerminalBar:
    """A line that is written over and cleared at the end."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream or sys.stderr
        self._stage, self._begun = "", time.monotonic()

    def __call__(self, stage: str, done: int, total: int | None, note: str) -> None:
        """Shows it."""
        if stage != self._stage:
            self._stage, self._begun = stage, time.monotonic()
        text = line(stage, done, total, note, time.monotonic() - self._begun)
        self._stream.write(f"\r\x1b[2K{text}")
        self._stream.flush()

    def close(self) -> None:
        """Takes it away."""
        if self._stage:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()


class NotebookBar:
    """The same line in a cell of a notebook, changed in place and emptied at the end."""

    def __init__(self) -> None:
        from IPython.display import display

        self._handle = display({"text/plain": ""}, raw=True, display_id=True)
        self._stage, self._begun = "", time.monotonic()

    def __call__(self, stage: str, done: int, total: int | None, note: str) -> None:
        """Shows it."""
        if stage != self._stage:
            self._stage, self._begun = stage, time.monotonic()
        text = line(stage, done, total, note, time.monotonic() - self._begun)
        self._handle.update({"text/plain": text}, raw=True)

    def close(self) -> None:
        """Takes it away."""
        self._handle.update({"text/plain": ""}, raw=True)


class Told:
    """Tells a function of the user's."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def __call__(self, stage: str, done: int, total: int | None, note: str) -> None:
        """Tells it."""
        self._listener(stage, done, total, note)

    def close(self) -> None:
        """Nothing was shown."""


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    found = shell.get_ipython()
    return found is not None and type(found).__name__ == "ZMQInteractiveShell"


def bar_for(progress: Progress) -> Bar | None:
    """The bar that is asked for; None for none."""
    if callable(progress):
        return Told(progress)
    if progress is False:
        return None
    if in_notebook():
        return NotebookBar()
    if progress is True or sys.stderr.isatty():
        return TerminalBar()
    return None
