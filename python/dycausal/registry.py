"""The methods there are, and what can be set."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

from dycausal import _dycausal


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method: its name, default, range and purpose."""

    name: str
    default: Any
    range: str
    purpose: str


@dataclass(frozen=True)
class Method:
    """One method: its name, what it does, what it looks for, and its parameters.

    `scope` says whether it finds instantaneous and lagged edges, lets weights move, gives bands or
    p-values (inference), and works with missing cells.
    """

    name: str
    summary: str
    scope: dict[str, bool]
    parameters: tuple[Parameter, ...]


@functools.cache
def methods() -> tuple[Method, ...]:
    """All methods, the default first."""
    return tuple(
        Method(
            entry["name"],
            entry["summary"],
            entry["scope"],
            tuple(Parameter(**parameter) for parameter in entry["parameters"]),
        )
        for entry in json.loads(_dycausal.methods())
    )
