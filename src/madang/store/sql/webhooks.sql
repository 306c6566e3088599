-- name: add
INSERT INTO webhooks (run_id, session_id, url, due_at, created_at)
VALUES (:run_id, :session_id, :url, :now, :now) ON CONFLICT (session_id, run_id) DO NOTHING

-- name: move
UPDATE webhooks SET run_id = :to_run WHERE session_id = :session_id AND run_id = :run_id

-- name: remove
DELETE FROM webhooks WHERE session_id = :session_id AND run_id = :run_id

-- name: due
SELECT w.*, r.status AS run_status FROM webhooks w LEFT JOIN runs r ON r.session_id = w.session_id AND r.run_id = w.run_id
WHERE w.due_at <= :now AND (r.status IS NULL OR r.status NOT IN ('queued', 'running'))
ORDER BY w.due_at LIMIT 100

-- name: take
UPDATE webhooks SET attempts = attempts + 1, due_at = :next
WHERE session_id = :session_id AND run_id = :run_id AND due_at = :seen RETURNING run_id

-- name: failed
UPDATE webhooks SET last_error = :error WHERE session_id = :session_id AND run_id = :run_id

-- name: pending
SELECT 1 FROM webhooks WHERE session_id = :session_id AND run_id = :run_id
