"""Who runs a run: a process, known by an id of its start. Whether it lives is told by a lock that dies with it.

A host's name and a process's number say nothing: containers share names, numbers are given again. Where the lock
can't be seen (another host, another container) only the lease tells.
"""

import os
import socket
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from madang.store.columns import new_id

LONG_AGO = 7 * 86_400


@dataclass(frozen=True)
class Owner:
    """One start of a process. `host` and `pid` are for people to read."""

    id: str = field(default_factory=new_id)
    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)


class Locks:
    """The locks of owners on this host. Where there are none of that kind (Windows) nobody is known to be dead."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir()) / "madang-owners"
        self._held: dict[str, int] = {}

    def hold(self, owner: Owner) -> None:
        """Hold the owner's lock until `release`, or until this process is gone."""
        if sys.platform == "win32":
            return
        import fcntl

        self._folder.mkdir(mode=0o777, exist_ok=True)
        self._sweep()
        handle = os.open(self._folder / owner.id, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(handle, fcntl.LOCK_EX)
        self._held[owner.id] = handle

    def release(self, owner: Owner) -> None:
        handle = self._held.pop(owner.id, None)
        if handle is not None:
            with suppress(FileNotFoundError):
                (self._folder / owner.id).unlink()
            os.close(handle)

    def dead(self, owner_ids: Iterable[str]) -> list[str]:
        """Those whose lock was held on this host and is not any more."""
        return [one for one in owner_ids if one not in self._held and self._let_go(one)]

    def _sweep(self) -> None:
        """Forget those who died long ago."""
        for path in self._folder.iterdir():
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > LONG_AGO and self._let_go(path.name):
                    path.unlink()

    def _let_go(self, owner_id: str) -> bool:
        if sys.platform == "win32" or "/" in owner_id:
            return False
        import fcntl

        try:
            handle = os.open(self._folder / owner_id, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(handle)
        return True
