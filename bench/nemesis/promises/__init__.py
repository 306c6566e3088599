"""What Madang promises whatever breaks, each as a function that finds where the evidence says otherwise.

A promise's first line of docstring is its wording in `docs/guarantees.md`; a test keeps the two together.
"""

from collections.abc import Callable, Iterator

from bench.nemesis.evidence import Evidence, Violation
from bench.nemesis.promises import conversations, events, states, turns

Promise = Callable[[Evidence], Iterator[Violation]]
PROMISES: tuple[Promise, ...] = (
    *conversations.PROMISES,
    *turns.PROMISES,
    *events.PROMISES,
    *states.PROMISES,
)


def broken(evidence: Evidence) -> list[Violation]:
    """Every promise that the evidence says was broken."""
    return [violation for promise in PROMISES for violation in promise(evidence)]
