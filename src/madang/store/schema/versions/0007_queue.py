"""Several processes: the queue of runs (Postgres: procrastinate's own tables), periodic jobs, streams elsewhere."""

import sqlalchemy as sa
from alembic import op

from madang.errors import needs_extra

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")

# Under the session's lock, so that of two runs queued at one moment the second sees the first one's job.
LOOK_AT = """
CREATE FUNCTION madang_look_at(of_session text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  waiting record;
BEGIN
  SELECT r.assistant INTO waiting FROM runs r
  WHERE r.session_id = of_session AND r.status = 'queued'
    AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
    AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = of_session AND o.status IN ('running', 'interrupted'))
    AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs j WHERE j.queueing_lock = of_session AND j.status = 'todo')
  ORDER BY r.started_at IS NULL, r.created_at, r.run_id LIMIT 1;
  IF FOUND THEN
    PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
      madang_queue_of(waiting.assistant), 'madang.look_at', 0, NULL, of_session,
      jsonb_build_object('session_id', of_session), NULL)::procrastinate_job_to_defer_v1]);
  END IF;
EXCEPTION WHEN unique_violation THEN
  -- Somebody else has put it at this moment.
  NULL;
END
$$
"""

# A queue is an assistant. Its channel's name is bounded by Postgres: a long name goes by its hash.
QUEUE_OF = """
CREATE FUNCTION madang_queue_of(assistant text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN octet_length(coalesce(assistant, '')) <= 38 THEN 'madang:' || coalesce(assistant, '')
         ELSE 'madang:' || md5(assistant) END
$$
"""

QUEUED = """
CREATE FUNCTION madang_run_queued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM madang_look_at(NEW.session_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER runs_queued AFTER INSERT OR UPDATE OF status ON runs
FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION madang_run_queued();
"""

# What is lost with a crash of the database is told as a gap, and the state instead: no need to log every token twice.
PARTS = """
CREATE UNLOGGED TABLE stream_parts (
  session_id text NOT NULL REFERENCES chat_sessions (session_id) ON DELETE CASCADE,
  run_id text NOT NULL,
  stream_key text NOT NULL,
  number bigint NOT NULL,
  part bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, run_id, stream_key, number)
);
CREATE INDEX stream_parts_by_age ON stream_parts (created_at);
CREATE TABLE session_watchers (
  session_id text NOT NULL REFERENCES chat_sessions (session_id) ON DELETE CASCADE,
  owner_id text NOT NULL,
  kind text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (session_id, owner_id, kind)
);
"""


def upgrade() -> None:
    op.add_column("runs", sa.Column("not_before", TIME))
    op.create_table(
        "periodic_jobs",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("due_at", TIME, nullable=False),
    )
    if op.get_bind().dialect.name != "postgresql":
        return
    with needs_extra("postgres", "a Postgres database"):
        from procrastinate.schema import SchemaManager
    # The driver's own connection: percent signs are not placeholders there.
    driver = op.get_bind().connection.driver_connection
    assert driver is not None
    if driver.execute("SELECT to_regclass('procrastinate_jobs')").fetchone()[0] is None:
        driver.execute(SchemaManager.get_schema())
    for statement in (QUEUE_OF, LOOK_AT, QUEUED, PARTS):
        driver.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
