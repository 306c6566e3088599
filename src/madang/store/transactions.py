"""Several statements as one transaction: the caller's, or one of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from madang.store.database import Database, Params, Row, Transaction


@asynccontextmanager
async def joined(db: Database, tx: Transaction | None) -> AsyncIterator[Transaction]:
    """`tx` if there is one (its owner commits), else a transaction of its own."""
    if tx is not None:
        yield tx
        return
    async with db.transaction() as own:
        yield own


async def fetch_all(tx: Transaction, script: str, params: Params) -> list[Row]:
    """`Database.once` within a transaction: the rows of the first statement that has any."""
    found: list[Row] = []
    for statement in script.split(";"):
        rows = await tx.fetch(statement, params)
        found = found or rows
    return found
