"""Databases as an earlier version of Madang left them."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from madang.store import schema


def at_revision(url: str, revision: str, *rows: str) -> None:
    """Make the empty or older database at `url` as that revision had it, with these rows; `-1` goes one back."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent))
    config.set_main_option("path_separator", "os")
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if revision.startswith("-") else command.upgrade)(config, revision)
        for row in rows:
            connection.exec_driver_sql(row)
    engine.dispose()


def row(table: str, **columns: str) -> str:
    """The statement that adds a row of texts."""
    values = ", ".join("'" + value.replace("'", "''") + "'" for value in columns.values())
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"
