-- name: sessions
SELECT s.session_id, EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.session_id AND r.status = 'running') AS busy
FROM chat_sessions s WHERE s.status <> 'importing' ORDER BY s.session_id

-- name: unfinished_imports
SELECT session_id FROM chat_sessions WHERE status = 'importing' AND updated_at < :before ORDER BY session_id

-- name: forget_import
DELETE FROM chat_sessions WHERE session_id = :session_id AND status = 'importing'

-- name: without_session
SELECT session_id, min(part) AS part FROM (
    SELECT session_id, 'chat_messages' AS part FROM chat_messages
    UNION SELECT session_id, 'checkpoints' FROM checkpoints
    UNION SELECT session_id, 'checkpoint_blobs' FROM checkpoint_blobs
    UNION SELECT session_id, 'checkpoint_writes' FROM checkpoint_writes
    UNION SELECT session_id, 'chunks' FROM chunks
    UNION SELECT session_id, 'runs' FROM runs
    UNION SELECT session_id, 'run_events' FROM run_events
    UNION SELECT session_id, 'documents' FROM documents
    UNION SELECT session_id, 'blobs' FROM blobs
) parts
WHERE session_id NOT IN (SELECT session_id FROM chat_sessions)
GROUP BY session_id ORDER BY session_id

-- name: recreate_session
INSERT INTO chat_sessions (session_id, title, metadata, created_at, updated_at)
VALUES (:session_id, :title, :metadata, :now, :now)
ON CONFLICT (session_id) DO NOTHING

-- name: wrong_counts
SELECT s.session_id, s.message_count, s.last_seq,
       (SELECT count(*) FROM chat_messages m WHERE m.session_id = s.session_id) AS messages,
       (SELECT coalesce(max(e.seq), 0) FROM run_events e WHERE e.session_id = s.session_id) AS seq
FROM chat_sessions s
WHERE s.message_count <> (SELECT count(*) FROM chat_messages m WHERE m.session_id = s.session_id)
   OR s.last_seq < (SELECT coalesce(max(e.seq), 0) FROM run_events e WHERE e.session_id = s.session_id)
ORDER BY s.session_id

-- name: set_counts
UPDATE chat_sessions
SET message_count = (SELECT count(*) FROM chat_messages m WHERE m.session_id = :session_id),
    last_seq = CASE WHEN last_seq < :seq THEN :seq ELSE last_seq END
WHERE session_id = :session_id

-- name: missing_parents
SELECT c.session_id, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id FROM checkpoints c
WHERE c.parent_checkpoint_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM checkpoints p WHERE p.session_id = c.session_id AND p.checkpoint_ns = c.checkpoint_ns
      AND p.checkpoint_id = c.parent_checkpoint_id)
ORDER BY c.session_id, c.checkpoint_ns, c.checkpoint_id

-- name: without_parent
UPDATE checkpoints SET parent_checkpoint_id = NULL
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: stray_writes
SELECT w.session_id, w.checkpoint_ns, w.checkpoint_id, count(*) AS n FROM checkpoint_writes w
WHERE NOT EXISTS (
    SELECT 1 FROM checkpoints c WHERE c.session_id = w.session_id AND c.checkpoint_ns = w.checkpoint_ns
      AND c.checkpoint_id = w.checkpoint_id)
GROUP BY w.session_id, w.checkpoint_ns, w.checkpoint_id ORDER BY w.session_id, w.checkpoint_ns, w.checkpoint_id

-- name: drop_writes
DELETE FROM checkpoint_writes
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: drop_task
DELETE FROM checkpoint_writes
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id
  AND task_id = :task_id

-- name: drop_blob
DELETE FROM checkpoint_blobs
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND channel = :channel AND version = :version

-- name: put_blob
INSERT INTO checkpoint_blobs (session_id, checkpoint_ns, channel, version, type, blob)
VALUES (:session_id, :checkpoint_ns, :channel, :version, :type, :blob)
ON CONFLICT (session_id, checkpoint_ns, channel, version) DO UPDATE SET type = excluded.type, blob = excluded.blob

-- name: put_chunk
INSERT INTO chunks (session_id, address, data) VALUES (:session_id, :address, :data)
ON CONFLICT (session_id, address) DO UPDATE SET data = excluded.data

-- name: drop_chunk
DELETE FROM chunks WHERE session_id = :session_id AND address = :address

-- name: drop_checkpoint
DELETE FROM checkpoints
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND checkpoint_id = :checkpoint_id

-- name: skip_parent
UPDATE checkpoints SET parent_checkpoint_id = CAST(:grandparent AS text)
WHERE session_id = :session_id AND checkpoint_ns = :checkpoint_ns AND parent_checkpoint_id = :checkpoint_id

-- name: blobs
SELECT session_id, blob_id, data FROM blobs WHERE session_id = :session_id ORDER BY blob_id

-- name: integrity
PRAGMA integrity_check

-- name: integrity (postgres)
SELECT 'ok' AS integrity_check
