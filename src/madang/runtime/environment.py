"""What the runtime puts around every run, whatever its graph."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from madang.graph.context import Memory, Tools
from madang.runtime.estimates import Estimates
from madang.store.blobs import Blobs
from madang.store.documents import Documents
from madang.store.runs import Runs
from madang.store.sessions import Session

MemoryOf = Callable[[Session], Memory]


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The clock, the models, the memory, and where runs, documents and large values are kept."""

    runs: Runs
    documents: Documents
    blobs: Blobs
    estimates: Estimates
    today: Callable[[], date]
    models: Any = None
    memory: MemoryOf | None = None
    tools: Tools | None = None
