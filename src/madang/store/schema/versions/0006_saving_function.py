"""Postgres: a superstep's rows by one call of a function, which the server plans once a connection, not every time."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SAVE = """
CREATE FUNCTION madang_save(
  b_session text[], b_run text[], b_fence bigint[], b_ns text[], b_parent text[],
  c_batch bigint[], c_address bytea[], c_data bytea[],
  l_batch bigint[], l_ns text[], l_channel text[], l_version text[], l_type text[], l_blob bytea[],
  k_batch bigint[], k_ns text[], k_id text[], k_parent text[], k_type text[], k_checkpoint jsonb[], k_metadata jsonb[],
  k_packed bytea[],
  w_batch bigint[], w_ns text[], w_id text[], w_task text[], w_idx int[], w_channel text[], w_type text[],
  w_blob bytea[], w_path text[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  held text[];
  verdicts text[];
BEGIN
  held := ARRAY(
    SELECT s.session_id FROM chat_sessions s WHERE s.session_id = ANY (b_session) ORDER BY s.session_id FOR KEY SHARE);
  PERFORM 1 FROM runs r WHERE r.session_id = ANY (b_session) AND r.run_id = ANY (b_run) AND r.status = 'running'
  ORDER BY r.run_id FOR SHARE;
  verdicts := ARRAY(
    SELECT CASE
      WHEN b.run_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM runs r WHERE r.run_id = b.run_id AND r.session_id = b.session_id AND r.fence = b.fence
          AND r.status = 'running') THEN 'fenced'
      WHEN b.parent_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM checkpoints c WHERE c.session_id = b.session_id AND c.checkpoint_ns = b.checkpoint_ns
          AND c.checkpoint_id = b.parent_id) THEN 'stale'
      ELSE 'stored' END
    FROM unnest(b_session, b_run, b_fence, b_ns, b_parent)
      WITH ORDINALITY AS b (session_id, run_id, fence, checkpoint_ns, parent_id, batch) ORDER BY b.batch);
  IF NOT b_session <@ held THEN
    INSERT INTO chat_sessions (session_id)
    SELECT DISTINCT b.session_id FROM unnest(b_session) WITH ORDINALITY AS b (session_id, batch)
    WHERE verdicts[b.batch] = 'stored' AND b.session_id <> ALL (held) ORDER BY b.session_id ON CONFLICT DO NOTHING;
  END IF;
  IF cardinality(c_batch) > 0 THEN
    INSERT INTO chunks (session_id, address, data)
    SELECT b_session[t.batch], t.address, t.data FROM unnest(c_batch, c_address, c_data) AS t (batch, address, data)
    WHERE verdicts[t.batch] = 'stored' ON CONFLICT DO NOTHING;
  END IF;
  IF cardinality(l_batch) > 0 THEN
    INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob)
    SELECT b_session[t.batch], t.checkpoint_ns, t.channel, t.version, t.type, t.blob
    FROM unnest(l_batch, l_ns, l_channel, l_version, l_type, l_blob)
      AS t (batch, checkpoint_ns, channel, version, type, blob)
    WHERE verdicts[t.batch] = 'stored'
    ON CONFLICT (session_id, checkpoint_ns, channel, version) DO UPDATE SET type = excluded.type, blob = excluded.blob;
  END IF;
  IF cardinality(k_batch) > 0 THEN
    INSERT INTO checkpoints
      (session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed)
    SELECT b_session[t.batch], t.checkpoint_ns, t.id, t.parent, t.type, t.checkpoint, t.metadata, t.packed
    FROM unnest(k_batch, k_ns, k_id, k_parent, k_type, k_checkpoint, k_metadata, k_packed)
      AS t (batch, checkpoint_ns, id, parent, type, checkpoint, metadata, packed)
    WHERE verdicts[t.batch] = 'stored'
    ON CONFLICT (session_id, checkpoint_ns, checkpoint_id) DO UPDATE SET
      parent_checkpoint_id = excluded.parent_checkpoint_id, type = excluded.type, checkpoint = excluded.checkpoint,
      metadata = excluded.metadata, packed = excluded.packed;
  END IF;
  IF cardinality(w_batch) > 0 THEN
    INSERT INTO checkpoint_writes
      (session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
    SELECT b_session[t.batch], t.checkpoint_ns, t.id, t.task_id, t.idx, t.channel, t.type, t.blob, t.task_path
    FROM unnest(w_batch, w_ns, w_id, w_task, w_idx, w_channel, w_type, w_blob, w_path)
      AS t (batch, checkpoint_ns, id, task_id, idx, channel, type, blob, task_path)
    WHERE verdicts[t.batch] = 'stored'
    ON CONFLICT (session_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE SET
      channel = excluded.channel, type = excluded.type, blob = excluded.blob, task_path = excluded.task_path
    WHERE excluded.idx < 0;
  END IF;
  RETURN verdicts;
END
$$
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.get_bind().exec_driver_sql(SAVE)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
