-- name: places
SELECT run_id, request_id, status, continues, branch_of FROM runs WHERE session_id = :session_id
ORDER BY created_at, run_id

-- name: runs
SELECT * FROM runs WHERE session_id = :session_id AND run_id IN (SELECT value FROM json_each(:runs))

-- name: runs (postgres)
SELECT * FROM runs WHERE session_id = :session_id AND run_id = ANY (CAST(:runs AS text[]))

-- name: messages
SELECT * FROM chat_messages
WHERE session_id = :session_id AND run_id IN (SELECT value FROM json_each(:runs)) ORDER BY id

-- name: messages (postgres)
SELECT * FROM chat_messages WHERE session_id = :session_id AND run_id = ANY (CAST(:runs AS text[])) ORDER BY id

-- name: copied_messages
SELECT * FROM chat_messages m
WHERE m.session_id = :session_id AND m.id < :before
  AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = m.run_id AND r.session_id = m.session_id)
ORDER BY m.id DESC LIMIT :limit

-- name: last_events
SELECT run_id, session_id, seq, type, frame FROM run_events
WHERE session_id = :session_id AND seq IN (
  SELECT max(seq) FROM run_events
  WHERE session_id = :session_id AND seq <= :last_seq AND run_id IN (SELECT value FROM json_each(:runs))
    AND type IN ('plan_ready', 'todo_updated', 'response', 'workflow_interrupted', 'error', 'cancelled')
  GROUP BY run_id, CASE type WHEN 'workflow_interrupted' THEN type || seq ELSE type END)

-- name: last_events (postgres)
SELECT run_id, session_id, seq, type, frame FROM run_events
WHERE session_id = :session_id AND seq IN (
  SELECT max(seq) FROM run_events
  WHERE session_id = :session_id AND seq <= :last_seq AND run_id = ANY (CAST(:runs AS text[]))
    AND type IN ('plan_ready', 'todo_updated', 'response', 'workflow_interrupted', 'error', 'cancelled')
  GROUP BY run_id, CASE type WHEN 'workflow_interrupted' THEN type || seq ELSE type END)

-- name: tokens
SELECT run_id, session_id, seq, type, frame FROM run_events
WHERE session_id = :session_id AND run_id IN (SELECT value FROM json_each(:runs)) AND seq <= :last_seq
  AND type = 'token' ORDER BY seq

-- name: tokens (postgres)
SELECT run_id, session_id, seq, type, frame FROM run_events
WHERE session_id = :session_id AND run_id = ANY (CAST(:runs AS text[])) AND seq <= :last_seq
  AND type = 'token' ORDER BY seq

-- name: feedback
SELECT f.* FROM feedback f
WHERE f.session_id = :session_id AND f.message_id IN (SELECT value FROM json_each(:messages))

-- name: feedback (postgres)
SELECT f.* FROM feedback f
WHERE f.session_id = :session_id AND f.message_id = ANY (CAST(CAST(:messages AS text[]) AS bigint[]))

-- name: set_feedback
INSERT INTO feedback (message_id, session_id, rating, reason, created_at)
SELECT m.id, m.session_id, :rating, :reason, :now FROM chat_messages m
WHERE m.id = :message_id AND m.session_id = :session_id
ON CONFLICT (session_id, message_id) DO UPDATE SET rating = excluded.rating, reason = excluded.reason,
                                       created_at = excluded.created_at
RETURNING message_id

-- name: set_feedback (postgres)
INSERT INTO feedback (message_id, session_id, rating, reason, created_at)
SELECT m.id, m.session_id, :rating, CAST(:reason AS text), CAST(:now AS timestamptz) FROM chat_messages m
WHERE m.id = :message_id AND m.session_id = :session_id
ON CONFLICT (session_id, message_id) DO UPDATE SET rating = excluded.rating, reason = excluded.reason,
                                       created_at = excluded.created_at
RETURNING message_id

-- name: remove_feedback
DELETE FROM feedback WHERE message_id = :message_id AND session_id = :session_id

-- name: message
SELECT * FROM chat_messages WHERE id = :message_id AND session_id = :session_id

-- name: first_checkpoint
SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints
WHERE session_id = :session_id AND checkpoint_ns = '' AND json_extract(metadata, '$.run_id') = :run_id
ORDER BY checkpoint_id LIMIT 1

-- name: first_checkpoint (postgres)
SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints
WHERE session_id = :session_id AND checkpoint_ns = '' AND metadata->>'run_id' = :run_id
ORDER BY checkpoint_id LIMIT 1

-- name: last_checkpoint
SELECT checkpoint_id FROM checkpoints
WHERE session_id = :session_id AND checkpoint_ns = '' AND json_extract(metadata, '$.run_id') = :run_id
ORDER BY checkpoint_id DESC LIMIT 1

-- name: last_checkpoint (postgres)
SELECT checkpoint_id FROM checkpoints
WHERE session_id = :session_id AND checkpoint_ns = '' AND metadata->>'run_id' = :run_id
ORDER BY checkpoint_id DESC LIMIT 1
