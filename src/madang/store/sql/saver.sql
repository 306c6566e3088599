-- name: make_session
INSERT INTO chat_sessions (session_id) VALUES (?) ON CONFLICT DO NOTHING

-- name: session_exists
SELECT 1 FROM chat_sessions WHERE session_id = ?

-- name: fence_holds
SELECT 1 FROM runs WHERE run_id = ? AND session_id = ? AND fence = ? AND status = 'running'

-- name: parent_exists
SELECT 1 FROM checkpoints WHERE session_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?

-- name: add_chunk
INSERT INTO chunks (session_id, address, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- name: put_blob
INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, checkpoint_ns, channel, version) DO UPDATE SET type = excluded.type, blob = excluded.blob

-- name: put_checkpoint
INSERT INTO checkpoints (session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, checkpoint_ns, checkpoint_id) DO UPDATE SET parent_checkpoint_id = excluded.parent_checkpoint_id,
  type = excluded.type, checkpoint = excluded.checkpoint, metadata = excluded.metadata, packed = excluded.packed

-- name: put_write
INSERT INTO checkpoint_writes
  (session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE SET
  channel = excluded.channel, type = excluded.type, blob = excluded.blob, task_path = excluded.task_path
WHERE excluded.idx < 0

-- name: save (postgres)
WITH batches AS MATERIALIZED (
  SELECT * FROM unnest(%(b_session)s::text[], %(b_run)s::text[], %(b_fence)s::bigint[], %(b_ns)s::text[], %(b_parent)s::text[])
    WITH ORDINALITY AS t (session_id, run_id, fence, checkpoint_ns, parent_id, batch)
), held AS MATERIALIZED (
  SELECT s.session_id FROM chat_sessions s
  WHERE s.session_id = ANY (%(b_session)s::text[]) ORDER BY s.session_id FOR KEY SHARE
), leased AS MATERIALIZED (
  SELECT r.run_id, r.session_id, r.fence FROM runs r
  WHERE r.run_id = ANY (%(b_run)s::text[]) AND r.status = 'running' ORDER BY r.run_id FOR SHARE
), judged AS MATERIALIZED (
  SELECT b.batch, b.session_id,
    b.run_id IS NULL OR EXISTS (
      SELECT 1 FROM leased l WHERE l.run_id = b.run_id AND l.fence = b.fence AND l.session_id = b.session_id) AS fenced_in,
    b.parent_id IS NULL OR (SELECT count(*) FROM held) < 0 OR EXISTS (
      SELECT 1 FROM checkpoints c WHERE c.session_id = b.session_id AND c.checkpoint_ns = b.checkpoint_ns
        AND c.checkpoint_id = b.parent_id) AS rooted
  FROM batches b
), good AS MATERIALIZED (
  SELECT j.batch, j.session_id FROM judged j WHERE j.fenced_in AND j.rooted AND (SELECT count(*) FROM held) >= 0
), new_sessions AS (
  INSERT INTO chat_sessions (session_id) SELECT DISTINCT g.session_id FROM good g
  WHERE g.session_id NOT IN (SELECT session_id FROM held) ORDER BY g.session_id ON CONFLICT DO NOTHING
), new_chunks AS (
  INSERT INTO chunks (session_id, address, data)
  SELECT g.session_id, t.address, t.data
  FROM unnest(%(c_batch)s::bigint[], %(c_address)s::bytea[], %(c_data)s::bytea[]) AS t (batch, address, data)
  JOIN good g USING (batch) ON CONFLICT DO NOTHING
), new_blobs AS (
  INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob)
  SELECT g.session_id, t.checkpoint_ns, t.channel, t.version, t.type, t.blob
  FROM unnest(%(l_batch)s::bigint[], %(l_ns)s::text[], %(l_channel)s::text[], %(l_version)s::text[], %(l_type)s::text[], %(l_blob)s::bytea[])
    AS t (batch, checkpoint_ns, channel, version, type, blob)
  JOIN good g USING (batch)
  ON CONFLICT (session_id, checkpoint_ns, channel, version) DO UPDATE SET type = excluded.type, blob = excluded.blob
), new_checkpoints AS (
  INSERT INTO checkpoints
    (session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed)
  SELECT g.session_id, t.checkpoint_ns, t.id, t.parent, t.type, t.checkpoint, t.metadata, t.packed
  FROM unnest(%(k_batch)s::bigint[], %(k_ns)s::text[], %(k_id)s::text[], %(k_parent)s::text[], %(k_type)s::text[],
      %(k_checkpoint)s::jsonb[], %(k_metadata)s::jsonb[], %(k_packed)s::bytea[])
    AS t (batch, checkpoint_ns, id, parent, type, checkpoint, metadata, packed)
  JOIN good g USING (batch)
  ON CONFLICT (session_id, checkpoint_ns, checkpoint_id) DO UPDATE SET
    parent_checkpoint_id = excluded.parent_checkpoint_id, type = excluded.type, checkpoint = excluded.checkpoint,
    metadata = excluded.metadata, packed = excluded.packed
), new_writes AS (
  INSERT INTO checkpoint_writes
    (session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
  SELECT g.session_id, t.checkpoint_ns, t.id, t.task_id, t.idx, t.channel, t.type, t.blob, t.task_path
  FROM unnest(%(w_batch)s::bigint[], %(w_ns)s::text[], %(w_id)s::text[], %(w_task)s::text[], %(w_idx)s::int[], %(w_channel)s::text[],
      %(w_type)s::text[], %(w_blob)s::bytea[], %(w_path)s::text[])
    AS t (batch, checkpoint_ns, id, task_id, idx, channel, type, blob, task_path)
  JOIN good g USING (batch)
  ON CONFLICT (session_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE SET
    channel = excluded.channel, type = excluded.type, blob = excluded.blob, task_path = excluded.task_path
  WHERE excluded.idx < 0
)
SELECT batch, fenced_in, rooted FROM judged

-- name: newest
SELECT c.session_id, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.type, c.checkpoint, c.metadata, c.packed,
  w.task_id, w.idx, w.channel, w.type AS write_type, w.blob, w.task_path
FROM (
  SELECT * FROM checkpoints WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns
  ORDER BY checkpoint_id DESC LIMIT 1
) c
LEFT JOIN checkpoint_writes w ON w.session_id = c.session_id AND w.checkpoint_ns = c.checkpoint_ns
  AND w.checkpoint_id = c.checkpoint_id

-- name: one
SELECT c.session_id, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.type, c.checkpoint, c.metadata, c.packed,
  w.task_id, w.idx, w.channel, w.type AS write_type, w.blob, w.task_path
FROM checkpoints c
LEFT JOIN checkpoint_writes w ON w.session_id = c.session_id AND w.checkpoint_ns = c.checkpoint_ns
  AND w.checkpoint_id = c.checkpoint_id
WHERE c.session_id = :session_id AND c.checkpoint_ns = :checkpoint_ns AND c.checkpoint_id = :checkpoint_id

-- name: lineage
WITH RECURSIVE line AS (
  SELECT c.*, 0 AS distance FROM checkpoints c
  WHERE c.session_id = :session_id AND c.checkpoint_ns = :checkpoint_ns AND c.checkpoint_id = :checkpoint_id
  UNION ALL
  SELECT c.*, line.distance + 1 FROM line JOIN checkpoints c ON c.session_id = line.session_id
    AND c.checkpoint_ns = line.checkpoint_ns AND c.checkpoint_id = line.parent_checkpoint_id
  WHERE line.distance + 1 < :limit
)
SELECT session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed
FROM line ORDER BY distance

-- name: blob
SELECT session_id, checkpoint_ns, channel, version, type, blob FROM checkpoint_blobs
WHERE session_id = ? AND checkpoint_ns = ? AND channel = ? AND version = ?

-- name: blobs (postgres)
SELECT b.session_id, b.checkpoint_ns, b.channel, b.version, b.type, b.blob
FROM unnest(:channels::text[], :versions::text[]) AS k (channel, version)
JOIN checkpoint_blobs b ON b.session_id = :session_id AND b.checkpoint_ns = :checkpoint_ns
  AND b.channel = k.channel AND b.version = k.version

-- name: blob_range
SELECT session_id, checkpoint_ns, channel, version, type, blob FROM checkpoint_blobs
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND channel = :channel
  AND version >= :low AND version <= :high

-- name: writes
SELECT session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path FROM checkpoint_writes
WHERE session_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?

-- name: writes (postgres)
SELECT session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path FROM checkpoint_writes
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = ANY (:ids::text[])
  AND (:channels::text[] IS NULL OR channel = ANY (:channels::text[]))

-- name: chunk
SELECT data FROM chunks WHERE session_id = ? AND address = ?

-- name: chunks (postgres)
SELECT address, data FROM chunks WHERE session_id = :session_id AND address = ANY (:addresses::bytea[])

-- name: dictionaries
SELECT address, data FROM chunks WHERE session_id = :session_id AND address >= :low AND address < :high
