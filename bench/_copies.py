"""Copies of one conversation, as many as wanted, made in SQL with every row that its turn left behind."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
from psycopg import sql

AT_ONCE = 50_000
TABLES = (
    "run_events",
    "chunks",
    "checkpoint_blobs",
    "checkpoints",
    "checkpoint_writes",
    "chat_messages",
    "runs",
    "chat_sessions",
)
# The ids of the copies lie evenly over all keys, where new ones fall among them; they rise, so indexes fill quickly.
AN_ID = (
    "(lpad(to_hex(n::bigint * 4294967296 / {size}), 8, '0') || '-' || substr(md5({kind} || n), 1, 4) "
    "|| '-4000-8000-' || lpad(to_hex(n), 12, '0'))"
)
OTHERS = (
    "SELECT session_id FROM chat_sessions WHERE session_id <> %(original)s AND session_id > %(after)s "
    "ORDER BY session_id LIMIT 1"
)


def copy(url: str, original: str, size: int) -> None:
    """Let there be `size` copies of a conversation; then Postgres looks at its tables."""
    with psycopg.connect(url, autocommit=True) as connection, ThreadPoolExecutor(2) as pool:
        # An index of words is made in a tenth of the time when all is there.
        [[words]] = connection.execute("SELECT pg_get_indexdef('chat_messages_by_pairs'::regclass)")
        connection.execute("DROP INDEX chat_messages_by_pairs")
        list(pool.map(lambda table: _fill(url, table, original, size), TABLES))
        connection.execute("SET maintenance_work_mem = '256MB'")
        connection.execute(words)
        connection.execute("ANALYZE")
        connection.execute("CHECKPOINT")


def _fill(url: str, table: str, original: str, size: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        # The copies are right as they are: no trigger and no foreign key has to look at each.
        connection.execute("SET session_replication_role = replica")
        statement = _statement(connection, table, size)
        for first in range(1, size + 1, AT_ONCE):
            last = min(size, first + AT_ONCE - 1)
            connection.execute(statement, {"original": original, "first": first, "last": last})


def some(url: str, original: str, count: int) -> list[str]:
    """So many of the copies, from all over the keys."""
    with psycopg.connect(url) as connection:
        places = [f"{place * 2**32 // count:08x}" for place in range(count)]
        found = [connection.execute(OTHERS, {"original": original, "after": place}).fetchone() for place in places]
        return [row[0] for row in found if row is not None]


def _statement(connection: psycopg.Connection, table: str, size: int) -> sql.Composed:
    columns = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_identity = 'NO' "
        "AND coalesce(column_default, '') NOT LIKE 'nextval%%' ORDER BY ordinal_position",
        (table,),
    )
    names = [name for (name,) in columns]
    return sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values} "
        "FROM generate_series(%(first)s::int, %(last)s::int) n, {table} t WHERE t.session_id = %(original)s ORDER BY n"
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(map(sql.Identifier, names)),
        values=sql.SQL(", ").join(_value(name, size) for name in names),
    )


def _value(name: str, size: int) -> sql.Composable:
    if name in ("session_id", "run_id", "request_id"):
        return sql.SQL(AN_ID).format(size=sql.Literal(size), kind=sql.Literal(name))
    if name == "frame":
        # What it tells of every step is most of its bytes, and no turn reads what another was told.
        return sql.SQL("frame - 'execution_steps'")
    if name == "metadata":
        own = sql.SQL(AN_ID).format(size=sql.Literal(size), kind=sql.Literal("run_id"))
        return sql.SQL(
            "CASE WHEN metadata ? 'run_id' THEN metadata || jsonb_build_object('run_id', {own}) ELSE metadata END"
        ).format(own=own)
    return sql.Identifier(name)
