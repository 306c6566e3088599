"""What the services answered, kept for a while: in files beside the database, or in memory without a folder.

A file's name says what it holds, until when, and a digest of it, so that the version of what is kept is known
without reading it, and two processes may share a folder.
"""

import hashlib
import json
import logging
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

MOST = 800
_IN_MEMORY = 200
_KEY = re.compile(r"[a-z0-9-]{1,80}")
_FILE = re.compile(r"([a-z0-9-]{1,80})~(\d{1,12})~([0-9a-f]{12})\.json")


@dataclass(frozen=True)
class _Kept:
    expires: int
    digest: str


class LiveCache:
    """At most `most` answers, each until it expires; what expires first goes first."""

    def __init__(self, folder: Path | None = None, *, most: int = MOST, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._most = most
        self._clock = clock
        self._known: dict[str, _Kept] = {}
        self._seen: int | None = None
        self._values: OrderedDict[str, Any] = OrderedDict()

    def get(self, key: str) -> Any | None:
        """What is kept under the key, None if nothing is or it has expired."""
        kept = self._index().get(key)
        if kept is None or kept.expires <= self._clock():
            return None
        name = _file_name(key, kept)
        if name not in self._values and self._folder is not None:
            try:
                self._remember(name, json.loads((self._folder / name).read_text(encoding="utf-8")))
            except (OSError, json.JSONDecodeError) as error:
                log.warning("kept answer can't be read", extra={"key": key, "error": type(error).__name__})
        return self._values.get(name)

    def put(self, key: str, value: Any, seconds: float) -> None:
        """Keep a JSON value for so long. A folder that can't be written is only logged: nothing depends on it."""
        assert _KEY.fullmatch(key), key
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        kept = _Kept(int(self._clock() + seconds), hashlib.sha256(text.encode()).hexdigest()[:12])
        before = self._index().get(key)
        self._known[key] = kept
        self._remember(_file_name(key, kept), json.loads(text))
        try:
            self._write(_file_name(key, kept), text)
            if before is not None and before != kept:
                self._forget(key, before)
            self._prune()
        except OSError as error:
            log.warning("answer can't be kept", extra={"key": key, "error": type(error).__name__})

    def keys(self, prefix: str) -> list[str]:
        """The keys that begin so and have not expired."""
        now = self._clock()
        return sorted(key for key, kept in self._index().items() if key.startswith(prefix) and kept.expires > now)

    def version(self, prefix: str) -> str:
        """Changes when what is kept under the prefix changes or expires; the same content gives the same version."""
        index = self._index()
        text = ",".join(f"{key}:{index[key].digest}" for key in self.keys(prefix))
        return hashlib.sha256(text.encode()).hexdigest()[:12] if text else ""

    def _index(self) -> dict[str, _Kept]:
        """What is kept, read from the folder again when another process has changed it."""
        if self._folder is None:
            return self._known
        try:
            changed = self._folder.stat().st_mtime_ns
        except FileNotFoundError:
            return self._known
        if changed != self._seen:
            found: dict[str, _Kept] = {}
            for file in self._folder.iterdir():
                if match := _FILE.fullmatch(file.name):
                    kept = _Kept(int(match[2]), match[3])
                    if match[1] not in found or found[match[1]].expires < kept.expires:
                        found[match[1]] = kept
            self._known, self._seen = found, changed
        return self._known

    def _remember(self, name: str, value: Any) -> None:
        self._values[name] = value
        self._values.move_to_end(name)
        while self._folder is not None and len(self._values) > _IN_MEMORY:
            self._values.popitem(last=False)

    def _write(self, name: str, text: str) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / f".{name}.{os.getpid()}"
        partial.write_text(text, encoding="utf-8")
        partial.replace(self._folder / name)
        self._seen = None

    def _prune(self) -> None:
        now = self._clock()
        by_expiry = sorted(self._index().items(), key=lambda item: item[1].expires)
        spare = max(0, len(by_expiry) - self._most)
        for place, (key, kept) in enumerate(by_expiry):
            if place < spare or kept.expires <= now:
                self._known.pop(key, None)
                self._forget(key, kept)

    def _forget(self, key: str, kept: _Kept) -> None:
        name = _file_name(key, kept)
        self._values.pop(name, None)
        if self._folder is not None:
            (self._folder / name).unlink(missing_ok=True)


def _file_name(key: str, kept: _Kept) -> str:
    return f"{key}~{kept.expires}~{kept.digest}.json"
