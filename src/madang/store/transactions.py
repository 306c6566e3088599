"""Joining a transaction that the caller has open, or making one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from madang.store.database import Database, Transaction


@asynccontextmanager
async def joined(db: Database, tx: Transaction | None) -> AsyncIterator[Transaction]:
    """`tx` if there is one (its owner commits), else a transaction of its own."""
    if tx is not None:
        yield tx
        return
    async with db.transaction() as own:
        yield own
