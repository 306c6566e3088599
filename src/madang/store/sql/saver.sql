-- name: make_session
INSERT INTO chat_sessions (session_id) VALUES (?) ON CONFLICT DO NOTHING

-- name: session_exists
SELECT 1 FROM chat_sessions WHERE session_id = ?

-- name: fence_holds
SELECT 1 FROM runs WHERE run_id = ? AND session_id = ? AND fence = ? AND status = 'running'

-- name: under_way
SELECT 1 FROM runs WHERE session_id = :session_id
  AND (status = 'running' OR (status = 'queued' AND (attempts > 0 OR continues IS NOT NULL)))

-- name: hold_session (postgres)
SELECT 1 FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE

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
SELECT madang_save(
  %(b_session)s::text[], %(b_run)s::text[], %(b_fence)s::bigint[], %(b_ns)s::text[], %(b_parent)s::text[],
  %(c_batch)s::bigint[], %(c_address)s::bytea[], %(c_data)s::bytea[],
  %(l_batch)s::bigint[], %(l_ns)s::text[], %(l_channel)s::text[], %(l_version)s::text[], %(l_type)s::text[], %(l_blob)s::bytea[],
  %(k_batch)s::bigint[], %(k_ns)s::text[], %(k_id)s::text[], %(k_parent)s::text[], %(k_type)s::text[], %(k_checkpoint)s::jsonb[],
  %(k_metadata)s::jsonb[], %(k_packed)s::bytea[],
  %(w_batch)s::bigint[], %(w_ns)s::text[], %(w_id)s::text[], %(w_task)s::text[], %(w_idx)s::int[], %(w_channel)s::text[],
  %(w_type)s::text[], %(w_blob)s::bytea[], %(w_path)s::text[])

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
