-- name: lock_session
SELECT session_id FROM chat_sessions WHERE session_id = :session_id

-- name: lock_session (postgres)
SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR UPDATE

-- name: signature
SELECT (SELECT count(*) FROM checkpoints WHERE session_id = :session_id) AS checkpoints,
  (SELECT max(checkpoint_id) FROM checkpoints WHERE session_id = :session_id) AS newest,
  (SELECT count(*) FROM checkpoint_blobs WHERE session_id = :session_id) AS blobs,
  (SELECT count(*) FROM checkpoint_writes WHERE session_id = :session_id) AS writes

-- name: running
SELECT run_id FROM runs WHERE session_id = :session_id AND status = 'running'

-- name: newest_by_namespace
SELECT checkpoint_ns, max(checkpoint_id) AS checkpoint_id FROM checkpoints WHERE session_id = :session_id
GROUP BY checkpoint_ns

-- name: checkpoint_ids
SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id FROM checkpoints WHERE session_id = :session_id

-- name: blob_keys
SELECT checkpoint_ns, channel, version FROM checkpoint_blobs WHERE session_id = :session_id

-- name: chunk_addresses
SELECT address FROM chunks WHERE session_id = :session_id

-- name: of_run
SELECT session_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE json_extract(metadata, '$.run_id') = :run_id

-- name: of_run (postgres)
SELECT session_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE (metadata->>'run_id') = :run_id

-- name: drop_checkpoint
DELETE FROM checkpoints WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: drop_writes
DELETE FROM checkpoint_writes
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: orphan
UPDATE checkpoints SET parent_checkpoint_id = NULL
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: drop_blob
DELETE FROM checkpoint_blobs WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND channel = :channel
  AND version = :version

-- name: drop_chunk
DELETE FROM chunks WHERE session_id = :session_id AND address = :address

-- name: put_blob
INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob)
VALUES (:session_id, :checkpoint_ns, :channel, :version, :type, :blob)
ON CONFLICT (session_id, checkpoint_ns, channel, version) DO UPDATE SET type = excluded.type, blob = excluded.blob

-- name: add_chunk
INSERT INTO chunks (session_id, address, data) VALUES (:session_id, :address, :data) ON CONFLICT DO NOTHING

-- name: drop_all_checkpoints
DELETE FROM checkpoints WHERE session_id = :session_id

-- name: drop_all_blobs
DELETE FROM checkpoint_blobs WHERE session_id = :session_id

-- name: drop_all_writes
DELETE FROM checkpoint_writes WHERE session_id = :session_id

-- name: drop_all_chunks
DELETE FROM chunks WHERE session_id = :session_id

-- name: drop_bare_session
DELETE FROM chat_sessions WHERE session_id = :session_id AND user_id IS NULL AND assistant IS NULL AND title IS NULL
  AND message_count = 0 AND metadata = '{}'
  AND NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.session_id = :session_id)
  AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.session_id = :session_id)
  AND NOT EXISTS (SELECT 1 FROM run_events e WHERE e.session_id = :session_id)
  AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.session_id = :session_id)
  AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.session_id = :session_id)

-- name: titled
SELECT session_id, title FROM chat_sessions WHERE session_id = :session_id

-- name: make_copy
INSERT INTO chat_sessions (session_id, user_id, assistant, title, parent_session_id)
SELECT CAST(:target AS text), user_id, assistant, CAST(:title AS text), session_id FROM chat_sessions
WHERE session_id = :session_id
ON CONFLICT DO NOTHING

-- name: copy_checkpoints
INSERT INTO checkpoints
  (session_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed)
SELECT CAST(:target AS text), checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, packed
FROM checkpoints WHERE session_id = :session_id ON CONFLICT DO NOTHING

-- name: copy_blobs
INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob)
SELECT CAST(:target AS text), checkpoint_ns, channel, version, type, blob
FROM checkpoint_blobs WHERE session_id = :session_id ON CONFLICT DO NOTHING

-- name: copy_writes
INSERT INTO checkpoint_writes
  (session_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
SELECT CAST(:target AS text), checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path
FROM checkpoint_writes WHERE session_id = :session_id ON CONFLICT DO NOTHING

-- name: copy_chunks
INSERT INTO chunks (session_id, address, data)
SELECT CAST(:target AS text), address, data FROM chunks WHERE session_id = :session_id ON CONFLICT DO NOTHING

-- name: sealed_checkpoints
SELECT checkpoint_ns, checkpoint_id, packed AS sealed FROM checkpoints WHERE session_id = :session_id

-- name: sealed_blobs
SELECT checkpoint_ns, channel, version, type, blob AS sealed FROM checkpoint_blobs WHERE session_id = :session_id

-- name: sealed_writes
SELECT checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob AS sealed FROM checkpoint_writes WHERE session_id = :session_id

-- name: sealed_chunks
SELECT address, data AS sealed FROM chunks WHERE session_id = :session_id

-- name: reseal_checkpoints
UPDATE checkpoints SET packed = :sealed
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: reseal_blobs
UPDATE checkpoint_blobs SET blob = :sealed
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND channel = :channel AND version = :version

-- name: reseal_writes
UPDATE checkpoint_writes SET blob = :sealed WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns
  AND checkpoint_id = :checkpoint_id AND task_id = :task_id AND idx = :idx

-- name: reseal_chunks
UPDATE chunks SET data = :sealed WHERE session_id = :session_id AND address = :address
