"""The bookkeeping of a checkpoint, packed: which version each channel has and which versions each node has seen."""

import random
import re
import threading
from functools import lru_cache
from itertools import chain, count
from typing import Any, cast

import ormsgpack
from langgraph.checkpoint.base import ChannelVersions, Checkpoint
from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import UnreadableData
from madang.store.saver.recipes import dump, load

_OURS = re.compile(r"([0-9a-f]{10})\.([0-9a-z]{8})")
_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASIC = frozenset({"v", "ts", "id", "channel_values", "channel_versions", "versions_seen"})

Version = str | int | float


class VersionClock:
    """Makes versions that increase and never repeat: a number that only grows here, and a name for this process."""

    def __init__(self) -> None:
        self._last = 0
        self._name = "".join(random.SystemRandom().choices(_ALPHABET, k=8))
        self._lock = threading.Lock()

    def next(self, current: Version | None) -> str:
        with self._lock:
            self._last = max(self._last, _number(current)) + 1
            return f"{self._last:010x}.{self._name}"


@lru_cache(maxsize=4096)
def _parsed(version: Version) -> tuple[int, str] | None:
    found = _OURS.fullmatch(version) if isinstance(version, str) else None
    return (int(found[1], 16), found[2]) if found else None


def is_ours(version: Version) -> bool:
    """Whether a version is one that no other value can have."""
    return _parsed(version) is not None


def _number(version: Version | None) -> int:
    if version is None:
        return 0
    if isinstance(version, str):
        ours = _OURS.fullmatch(version)
        return int(ours[1], 16) if ours else int(version.split(".")[0] or 0)
    return int(version)


def pack_frame(
    checkpoint: Checkpoint,
    values: dict[str, Any] | None,
    serde: SerializerProtocol,
    metadata: str | None = None,
) -> bytes:
    """Everything of a checkpoint but its id, time and stored values; `values` are those to hide from the JSON.

    With `metadata` (JSON) also its time and that: a frame that is sealed leaves nothing to what stands beside it.
    """
    current, seen = checkpoint["channel_versions"], checkpoint["versions_seen"]
    versions = dict.fromkeys(chain(current.values(), *map(dict.values, seen.values())))
    number = dict(zip(versions, count(), strict=False)).__getitem__
    rest: dict[str, Any] = {key: value for key, value in checkpoint.items() if key not in _BASIC}
    frame: list[Any] = [
        checkpoint["v"],
        dict(zip(current, map(number, current.values()), strict=True)),
        {node: dict(zip(channels, map(number, channels.values()), strict=True)) for node, channels in seen.items()},
        _shorten(list(versions)),
    ]
    if rest or values or metadata:
        frame.append(rest.get("updated_channels") if list(rest) == ["updated_channels"] else dump(serde, rest))
    if values or metadata:
        frame.append(dump(serde, values or {}))
    if metadata:
        frame += [checkpoint["ts"], metadata]
    return ormsgpack.packb(frame)


def unpack_frame(raw: bytes, serde: SerializerProtocol) -> tuple[dict[str, Any], dict[str, Any]]:
    """The checkpoint's packed keys, and the values that were hidden from the JSON. Raises `UnreadableData`.

    A sealed frame's metadata is among the keys, as JSON.
    """
    try:
        form, current, seen, short, *more = ormsgpack.unpackb(raw)
        versions = _lengthen(short)
        found: dict[str, Any] = {
            "v": form,
            "channel_versions": {channel: versions[i] for channel, i in current.items()},
            "versions_seen": {
                node: {channel: versions[i] for channel, i in channels.items()} for node, channels in seen.items()
            },
        }
    except (ValueError, TypeError, IndexError) as error:
        raise UnreadableData(f"a checkpoint's bookkeeping is damaged: {error}") from error
    if len(more) > 2:
        found |= {"ts": more[2], "metadata": more[3]}
    if more:
        found |= load(serde, more[0]) if isinstance(more[0], bytes) else {"updated_channels": more[0]}
    return found, cast("dict[str, Any]", load(serde, more[1])) if len(more) > 1 else {}


def _shorten(versions: list[Version]) -> list[Any]:
    """Our versions as small numbers: process names once, counters relative to the smallest."""
    ours = list(map(_parsed, versions))
    names = list({found[1]: None for found in ours if found})
    base = min([found[0] for found in ours if found], default=0)
    if len(names) == 1 and None not in ours:
        return [names, base, [found[0] - base for found in ours if found]]
    return [
        names,
        base,
        [
            (found[0] - base) * len(names) + names.index(found[1]) if found else [version]
            for version, found in zip(versions, ours, strict=True)
        ],
    ]


def _lengthen(short: list[Any]) -> list[Version]:
    names, base, entries = short
    return [
        entry[0] if isinstance(entry, list) else f"{base + entry // len(names):010x}.{names[entry % len(names)]}"
        for entry in entries
    ]


def newest(versions: ChannelVersions) -> Version | None:
    return max(versions.values(), default=None)
