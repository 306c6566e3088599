"""Stored states brought up to the present version, one step at a time."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from madang.errors import InvalidInput, UnknownSchemaVersion, UnreadableData

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
Version = tuple[int, ...]


class Migrations:
    """An ordered chain: `Migrations("2.0", {"1.0": (add_flexibility, "2.0")})`.

    Raises `InvalidInput` unless every version leads upwards to the current one.
    """

    def __init__(self, current: str, steps: Mapping[str, tuple[Upgrade, str]] | None = None) -> None:
        self.current = current
        self._steps = {_version(old): (upgrade, new) for old, (upgrade, new) in (steps or {}).items()}
        known = {_version(current), *self._steps}
        for old, (_, new) in self._steps.items():
            if not old < _version(new) or _version(new) not in known or not old < _version(current):
                raise InvalidInput(f"the migration from {_text(old)} to {new} doesn't lead to {current}")
        self.first = _text(min(known))

    def version_of(self, state: Mapping[str, Any]) -> str:
        """The version a state says it has; the first if it says none."""
        found = state.get("schema_version")
        return self.first if found is None else found

    def upgrade(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The state in the current version; what was given is not changed.

        Raises `UnknownSchemaVersion` for a version that is newer or not in the chain, `UnreadableData` for one that
        can't be read as a version.
        """
        found = self.version_of(state)
        version, current = _read_version(found), _version(self.current)
        if version > current or (version != current and version not in self._steps):
            raise UnknownSchemaVersion(
                f"the state has version {found}, this Madang knows {self.first} to {self.current}",
                found=found,
                known=self.current,
            )
        upgraded = dict(state) if version == current else copy.deepcopy(dict(state))
        while version != current:
            upgrade, target = self._steps[version]
            upgraded = {**upgrade(upgraded), "schema_version": target}
            version = _version(target)
        return {**upgraded, "schema_version": self.current}


def _version(text: str) -> Version:
    """Numbers, so that 1.10 is after 1.9; 2 and 2.0 are one version."""
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _read_version(found: Any) -> Version:
    if isinstance(found, str) and all(part.isascii() and part.isdigit() for part in found.split(".")):
        return _version(found)
    raise UnreadableData(f"{found!r} is not a schema version such as 1.0")


def _text(version: Version) -> str:
    return ".".join(map(str, version if len(version) > 1 else (*version, 0)))
