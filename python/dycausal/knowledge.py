"""What is known of a graph before the data are asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from dycausal import _dycausal

#: A name, a pattern such as ``rain*``, or several.
Names = str | Sequence[str]


class Knowledge:
    """Edges that are forbidden or required, tiers, roots, sinks and groups, by name.

    Names may be patterns: ``*`` is any text, ``?`` any character; the name of a group stands for its
    members. What contradicts itself, or names what is not there, raises
    :class:`~dycausal.errors.KnowledgeError` when a fit begins.

    Parameters
    ----------
    forbid : list
        Edges that are not there: ``(source, target)`` at all lags, ``(source, target, lag)`` at a lag
        or a list of lags, or a dict with ``from``, ``to``, ``lag``, ``since`` and ``until``.
    require : list
        Edges that are there: ``(source, target, lag)``, or a dict.
    tiers : list of lists of names
        Nothing in a later tier causes anything in an earlier one, at any lag.
    order : list of lists of names
        The same within a step only.
    roots, sinks : names
        What nothing causes, and what causes nothing, but for own lags.
    own_lags_only : names
        Variables on which, of what was before, only their own past acts.
    groups : dict of names
        Names for several variables.
    allow : list of (group, group)
        Which group may point at which; between other groups there are no edges.

    Examples
    --------
    >>> known = Knowledge(tiers=[["rain*"], ["soil", "river"]], require=[("rain", "soil", 1)])
    >>> known
    Knowledge(require rain → soil at lag 1; tiers: rain* | soil, river)
    """

    def __init__(
        self,
        *,
        forbid: Iterable[Any] = (),
        require: Iterable[Any] = (),
        tiers: Sequence[Names] = (),
        order: Sequence[Names] = (),
        roots: Names = (),
        sinks: Names = (),
        own_lags_only: Names = (),
        groups: Mapping[str, Names] | None = None,
        allow: Iterable[tuple[str, str]] = (),
    ) -> None:
        said: dict[str, Any] = {
            "forbid": [_edge(edge) for edge in forbid],
            "require": [_edge(edge) for edge in require],
            "tiers": [_names(tier) for tier in tiers],
            "order": [_names(tier) for tier in order],
            "roots": _names(roots),
            "sinks": _names(sinks),
            "own_lags_only": _names(own_lags_only),
            "groups": {name: _names(members) for name, members in (groups or {}).items()},
            "allow": [{"from": source, "to": target} for source, target in allow],
        }
        self._said: dict[str, Any] = {"statements": {key: value for key, value in said.items() if value}}
        self.statements: list[str] = json.loads(_dycausal.statements(self._json()))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Knowledge:
        """What a TOML file says, as ``dycausal fit --knowledge`` reads it."""
        known = cls.__new__(cls)
        with open(path, encoding="utf-8") as file:
            known._said = {"name": fspath(path), "toml": file.read()}
        known.statements = json.loads(_dycausal.statements(known._json()))
        return known

    def _json(self) -> str:
        return json.dumps(self._said)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Knowledge) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._json())

    def __repr__(self) -> str:
        return f"Knowledge({'; '.join(self.statements)})"


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _edge(edge: Any) -> dict[str, Any]:
    if isinstance(edge, Mapping):
        return {key: _time(value) if key in ("since", "until") else value for key, value in edge.items()}
    source, target, *lag = edge
    ends = {"from": source, "to": target}
    return {**ends, "lag": lag[0]} if lag else ends


def _time(value: Any) -> Any:
    return value if isinstance(value, (int, float)) else str(value)
