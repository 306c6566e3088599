"""Conversations: search in what was said, archive, undo, branches, files, feedback, shares."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# Trigrams find any three letters; what is sealed is not in the index, and nothing that could be read from it.
SQLITE = """
CREATE VIRTUAL TABLE message_search
  USING fts5(content, content='chat_messages', content_rowid='id', tokenize='trigram', detail=none);
CREATE TRIGGER message_search_added AFTER INSERT ON chat_messages WHEN new.content NOT LIKE 'sealed:%' BEGIN
  INSERT INTO message_search (rowid, content) VALUES (new.id, new.content);
END;
CREATE TRIGGER message_search_gone AFTER DELETE ON chat_messages WHEN old.content NOT LIKE 'sealed:%' BEGIN
  INSERT INTO message_search (message_search, rowid, content) VALUES ('delete', old.id, old.content);
END;
CREATE TRIGGER message_search_changed AFTER UPDATE OF content ON chat_messages
WHEN old.content NOT LIKE 'sealed:%' BEGIN
  INSERT INTO message_search (message_search, rowid, content) VALUES ('delete', old.id, old.content);
END;
CREATE TRIGGER message_search_changed_to AFTER UPDATE OF content ON chat_messages
WHEN new.content NOT LIKE 'sealed:%' BEGIN
  INSERT INTO message_search (rowid, content) VALUES (new.id, new.content);
END;
INSERT INTO message_search (rowid, content) SELECT id, content FROM chat_messages WHERE content NOT LIKE 'sealed:%'
"""
# Pairs of letters: a Korean word is often two, which pg_trgm can't look up, and in the C locale it sees no Korean.
POSTGRES = """
CREATE FUNCTION madang_pairs(said text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT pair), '{}') FROM (
    SELECT letter || lead(letter) OVER (ORDER BY place) AS pair
    FROM unnest(string_to_array(lower(said), NULL)) WITH ORDINALITY AS one (letter, place)
  ) pairs WHERE pair IS NOT NULL
$$
---
CREATE INDEX chat_messages_by_pairs ON chat_messages USING gin (madang_pairs(content))
  WHERE content NOT LIKE 'sealed:%%'
"""


def upgrade() -> None:
    op.add_column("chat_sessions", sa.Column("archived_at", TIME))
    op.add_column("chat_sessions", sa.Column("deleted_at", TIME))
    op.add_column("runs", sa.Column("branch_of", sa.Text()))
    op.create_table(
        "attachments",
        sa.Column("file_id", sa.Text(), primary_key=True),
        _session(),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("size", BIG, nullable=False),
        sa.Column("row_count", sa.Integer()),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_index("attachments_by_session", "attachments", ["session_id", "created_at"])
    op.create_table(
        "feedback",
        sa.Column("message_id", BIG, sa.ForeignKey("chat_messages.id", ondelete="CASCADE"), primary_key=True),
        _session(),
        sa.Column("rating", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_index("feedback_by_session", "feedback", ["session_id"])
    op.create_table(
        "shares",
        # The link itself opens the conversation, so it is kept as its hash, and sealed where there is a key.
        sa.Column("share_hash", sa.Text(), primary_key=True),
        sa.Column("share_id", sa.Text(), nullable=False),
        _session(),
        sa.Column("redacted", sa.Integer(), nullable=False),
        sa.Column("last_message_id", BIG, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
    )
    op.create_index("shares_by_session", "shares", ["session_id", "created_at"])
    postgres = op.get_bind().dialect.name == "postgresql"
    statements = POSTGRES.split("---") if postgres else _of_triggers(SQLITE)
    for statement in statements:
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")


def _session() -> sa.Column[str]:
    return sa.Column(
        "session_id", sa.Text(), sa.ForeignKey("chat_sessions.session_id", ondelete="CASCADE"), nullable=False
    )


def _of_triggers(script: str) -> list[str]:
    """The statements of a script whose triggers have semicolons inside."""
    import sqlite3

    statements, begun = [], ""
    for piece in script.split(";"):
        begun += piece
        if sqlite3.complete_statement(begun + ";"):
            statements.append(begun)
            begun = ""
        else:
            begun += ";"
    return statements
