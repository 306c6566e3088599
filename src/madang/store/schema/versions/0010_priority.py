"""Runs with a priority: of those that wait, which is begun first."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# As in 0007, by priority; a job that waits already is raised. The queue takes the highest first, runs begin with the
# lowest. In its session a run that has yet to wait for its time keeps its place.
LOOK_AT = """
CREATE OR REPLACE FUNCTION madang_look_at(of_session text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  waiting record;
BEGIN
  SELECT r.assistant, r.priority INTO waiting FROM runs r
  WHERE r.session_id = of_session AND r.status = 'queued'
    AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
    AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = of_session AND o.status IN ('running', 'interrupted'))
  ORDER BY r.started_at IS NULL, CASE WHEN r.not_before IS NULL THEN r.priority ELSE 0 END, r.created_at, r.run_id
  LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE procrastinate_jobs j SET priority = greatest(j.priority, -waiting.priority)
  WHERE j.queueing_lock = of_session AND j.status = 'todo';
  IF NOT FOUND THEN
    PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
      madang_queue_of(waiting.assistant), 'madang.look_at', -waiting.priority, NULL, of_session,
      jsonb_build_object('session_id', of_session), NULL)::procrastinate_job_to_defer_v1]);
  END IF;
EXCEPTION WHEN unique_violation THEN
  -- Somebody else has put it at this moment.
  NULL;
END
$$
"""


def upgrade() -> None:
    op.add_column("runs", sa.Column("priority", sa.Integer(), nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        driver = op.get_bind().connection.driver_connection
        assert driver is not None
        driver.execute(LOOK_AT)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
