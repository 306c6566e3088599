"""`madang` on a machine whose clock can be set wrong while it runs.

    python -m bench.nemesis.skewed CLOCK serve …

CLOCK is a file of eight bytes: by how many seconds (a double) the clock is wrong. `time.time` and `datetime.now` follow
it; what measures durations (`monotonic`) doesn't, as on a machine whose clock is set. The database has its own clock.
"""

import datetime as datetimes
import mmap
import struct
import sys
import time
from pathlib import Path
from typing import Any

_REAL = datetimes.datetime


class Clock:
    """The file as the nemesis sees it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.set_wrong_by(0.0)

    def set_wrong_by(self, seconds: float) -> None:
        with self._path.open("r+b" if self._path.exists() else "wb") as file:
            file.write(struct.pack("d", seconds))


class _Kind(type):
    """What the C parts of Python and of libraries make is a datetime too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _REAL)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _REAL)


_followed: list[mmap.mmap] = []


def follow(path: Path) -> None:
    """Let a clock that is skewed follow this file from now on."""
    with path.open("r+b") as file:
        _followed[:] = [mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)]


def skew(path: Path) -> None:
    """Let this process's clock follow the file. To be called before anything imports `datetime`'s classes."""
    follow(path)

    def wrong_by() -> float:
        seconds: float = struct.unpack_from("d", _followed[0])[0]
        return seconds

    class Skewed(_REAL, metaclass=_Kind):
        @classmethod
        def now(cls, tz: datetimes.tzinfo | None = None) -> Any:
            return _REAL.now(tz) + datetimes.timedelta(seconds=wrong_by())

    real_time, real_time_ns = time.time, time.time_ns
    time.time = lambda: real_time() + wrong_by()
    time.time_ns = lambda: real_time_ns() + int(wrong_by() * 1e9)
    datetimes.datetime = Skewed  # type: ignore[misc]


if __name__ == "__main__":
    skew(Path(sys.argv[1]))
    from madang.cli import main

    sys.argv = ["madang", *sys.argv[2:]]
    main()
