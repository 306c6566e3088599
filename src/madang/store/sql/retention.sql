-- name: sessions
SELECT session_id, metadata FROM chat_sessions ORDER BY session_id

-- name: checkpoints
SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, json_extract(checkpoint, '$.ts') AS ts FROM checkpoints
WHERE session_id = :session_id

-- name: checkpoints (postgres)
SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint->>'ts' AS ts FROM checkpoints
WHERE session_id = :session_id

-- name: runs
SELECT run_id, status, created_at FROM runs WHERE session_id = :session_id ORDER BY created_at DESC, run_id DESC

-- name: delete_runs
DELETE FROM runs WHERE session_id = :session_id AND run_id IN (SELECT value FROM json_each(:run_ids))
  AND status IN ('completed', 'failed', 'cancelled')

-- name: delete_runs (postgres)
DELETE FROM runs WHERE session_id = :session_id AND run_id = ANY (CAST(:run_ids AS text[]))
  AND status IN ('completed', 'failed', 'cancelled')

-- name: delete_run_events
DELETE FROM run_events WHERE session_id = :session_id AND run_id IN (SELECT value FROM json_each(:run_ids))

-- name: delete_run_events (postgres)
DELETE FROM run_events WHERE session_id = :session_id AND run_id = ANY (CAST(:run_ids AS text[]))

-- name: delete_old_events
DELETE FROM run_events WHERE session_id = :session_id AND run_id IS NULL AND created_at < :limit
