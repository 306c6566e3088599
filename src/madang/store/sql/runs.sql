-- name: get_run
SELECT * FROM runs WHERE run_id = :run_id

-- name: run_of_session
SELECT * FROM runs WHERE session_id = :session_id AND run_id = :run_id

-- name: session_of_run
SELECT session_id FROM runs WHERE run_id = :run_id

-- name: session_of_run (postgres)
SELECT session_id FROM chat_sessions
WHERE session_id = (SELECT session_id FROM runs WHERE run_id = :run_id) FOR NO KEY UPDATE

-- name: find_orphans
SELECT * FROM runs
WHERE status = 'running' AND (
  lease_until IS NULL OR lease_until < strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now')
  OR owner_id IN (SELECT value FROM json_each(:dead)))
ORDER BY created_at, run_id

-- name: find_orphans (postgres)
SELECT * FROM runs
WHERE status = 'running' AND (
  lease_until IS NULL OR lease_until < clock_timestamp() OR owner_id = ANY (CAST(:dead AS text[])))
ORDER BY created_at, run_id

-- name: owners
SELECT DISTINCT owner_id FROM runs WHERE status = 'running' AND owner_id IS NOT NULL


-- name: run_of_request
SELECT * FROM runs WHERE session_id = :session_id AND request_id = :request_id AND continues IS NULL

-- name: open_runs
SELECT * FROM runs WHERE session_id = :session_id AND status IN ('queued', 'running', 'interrupted')
ORDER BY created_at, run_id

-- name: next_queued
SELECT * FROM runs WHERE session_id = :session_id AND status = 'queued'
ORDER BY started_at IS NULL, CASE WHEN not_before IS NULL THEN priority ELSE 0 END, created_at, run_id LIMIT 1

-- name: queued
SELECT r.* FROM runs r
WHERE r.status = 'queued'
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status IN ('running', 'interrupted'))
ORDER BY r.priority, r.created_at, r.run_id LIMIT :limit

-- name: backlog
SELECT count(*) AS queued, max(CASE WHEN NOT EXISTS (
  SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status IN ('running', 'interrupted'))
  AND (r.not_before IS NULL OR r.not_before <= strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now'))
  THEN (julianday('now') - julianday(r.updated_at)) * 86400 END) AS oldest
FROM runs r WHERE r.status = 'queued'

-- name: backlog (postgres)
SELECT count(*) AS queued, max(CASE WHEN NOT EXISTS (
  SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status IN ('running', 'interrupted'))
  AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
  THEN extract(epoch FROM clock_timestamp() - greatest(r.updated_at, r.not_before)) END) AS oldest
FROM runs r WHERE r.status = 'queued'

-- name: list_runs
SELECT * FROM runs
WHERE (CAST(:session_id AS text) IS NULL OR session_id = CAST(:session_id AS text))
  AND (CAST(:status AS text) IS NULL OR status = CAST(:status AS text))
  AND (CAST(:after_time AS text) IS NULL OR (created_at, run_id) < (:after_time, :after_id))
ORDER BY created_at DESC, run_id DESC LIMIT :limit

-- name: list_runs (postgres)
SELECT * FROM runs
WHERE (CAST(:session_id AS text) IS NULL OR session_id = CAST(:session_id AS text))
  AND (CAST(:status AS text) IS NULL OR status = CAST(:status AS text))
  AND (CAST(:after_time AS timestamptz) IS NULL
       OR (created_at, run_id) < (CAST(:after_time AS timestamptz), CAST(:after_id AS text)))
ORDER BY created_at DESC, run_id DESC LIMIT :limit

-- name: lately_completed
SELECT * FROM runs
WHERE session_id IN (
    SELECT session_id FROM chat_sessions WHERE assistant = :assistant ORDER BY updated_at DESC, session_id DESC LIMIT 50)
  AND assistant = :assistant AND status = 'completed'
ORDER BY created_at DESC, run_id DESC LIMIT :limit

-- name: delete_run
DELETE FROM runs WHERE session_id = :session_id AND run_id = :run_id

-- name: add_control
INSERT INTO run_controls (session_id, run_id, idx, kind, data, created_at)
SELECT :session_id, :run_id, coalesce(max(idx), 0) + 1, :kind, :data, :now FROM run_controls
WHERE session_id = :session_id AND run_id = :run_id

-- name: add_control (postgres)
WITH added AS (
  INSERT INTO run_controls (session_id, run_id, idx, kind, data, created_at)
  SELECT :session_id, :run_id, coalesce(max(idx), 0) + 1, :kind, CAST(:data AS jsonb), CAST(:now AS timestamptz)
  FROM run_controls WHERE session_id = :session_id AND run_id = :run_id
  RETURNING run_id
)
SELECT pg_notify('madang_controls', run_id) FROM added

-- name: controls
SELECT kind, data FROM run_controls WHERE session_id = :session_id AND run_id = :run_id ORDER BY idx
