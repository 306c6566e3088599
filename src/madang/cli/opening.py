"""Opening the database for one command."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from madang.cli.options import settings_with

if TYPE_CHECKING:
    from madang.graph.data_source import Report
    from madang.store.database import Database

T = TypeVar("T")


def with_database(db: str | None, work: "Callable[[Database], Awaitable[T]]") -> T:
    """Run `work` with the database that is named or configured, and close it."""

    async def run() -> T:
        from madang.bootstrap import keyring_of
        from madang.store.database import Database

        settings = settings_with(db)
        opened = await Database.open(settings.db_url, keyring=keyring_of(settings))
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(run())


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> "Iterator[Report]":
    """A progress bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=sys.stderr), transient=True, disable=quiet or not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def human_bytes(count: int | None) -> str:
    """A size as people read it."""
    if count is None:
        return "-"
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
