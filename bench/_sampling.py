"""Where a process spends its time: its main thread looked at every few milliseconds, by the package it is in."""

import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY = 0.002
SHOWN = 14
WAITING = frozenset({"select", "poll"})


class Samples:
    """Counts where the main thread is, from now on."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._main = threading.main_thread().ident
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(EVERY)
            frame = sys._current_frames().get(self._main or 0)
            if frame is not None:
                self._seen[place(frame)] += 1

    async def shares(self) -> dict[str, float]:
        """The places that took most, each as a share of the time that was not spent waiting."""
        seen = Counter({at: count for at, count in self._seen.items() if at != "waiting"})
        whole = max(1, seen.total())
        return {at: count / whole for at, count in seen.most_common(SHOWN)}


def place(frame: FrameType) -> str:
    """The innermost package outside the standard library, and for ours the module; or that it waits for events."""
    if frame.f_code.co_name in WAITING and "selectors" in frame.f_code.co_filename:
        return "waiting"
    outer: FrameType | None = frame
    while outer is not None:
        parts = Path(outer.f_code.co_filename).parts
        if "site-packages" in parts:
            return parts[parts.index("site-packages") + 1]
        if "madang" in parts:
            return "/".join(parts[-parts[::-1].index("madang") - 1 :])
        outer = outer.f_back
    return "standard library"
