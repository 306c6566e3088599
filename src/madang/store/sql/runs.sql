-- name: create_run
INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                  created_at, updated_at)
VALUES (:run_id, :session_id, :assistant, 'queued', :input, :request_id, :kwargs, :metadata, :multitask_strategy,
        :now, :now)
ON CONFLICT (run_id) DO NOTHING
RETURNING *

-- name: session_of_run
SELECT session_id FROM runs WHERE run_id = :run_id

-- name: session_of_run (postgres)
SELECT session_id FROM chat_sessions
WHERE session_id = (SELECT session_id FROM runs WHERE run_id = :run_id) FOR NO KEY UPDATE

-- name: get_run
SELECT * FROM runs WHERE run_id = :run_id

-- name: running_in_session
SELECT run_id FROM runs WHERE session_id = :session_id AND status = 'running'

-- name: claim_run
UPDATE runs SET status = 'running', fence = fence + 1, attempts = attempts + 1, owner_host = :host, owner_pid = :pid,
                owner_id = :owner, lease_until = :lease_until, started_at = coalesce(started_at, :now),
                updated_at = :now, error = NULL
WHERE run_id = :run_id AND status IN ('queued', 'interrupted')
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.status = 'running')
RETURNING fence

-- name: heartbeat
UPDATE runs SET lease_until = :lease_until, updated_at = :now
WHERE status = 'running' AND (run_id, fence) IN (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:held))
RETURNING run_id

-- name: heartbeat (postgres)
WITH held AS MATERIALIZED (
  SELECT r.run_id FROM jsonb_array_elements(CAST(:held AS jsonb)) h
  JOIN runs r ON r.run_id = h->>0 AND r.fence = CAST(h->>1 AS bigint)
  WHERE r.status = 'running' ORDER BY r.run_id FOR NO KEY UPDATE OF r
)
UPDATE runs r SET lease_until = CAST(:lease_until AS timestamptz), updated_at = CAST(:now AS timestamptz)
FROM held WHERE r.run_id = held.run_id
RETURNING r.run_id

-- name: to_cancel
SELECT DISTINCT run_id FROM run_controls WHERE kind = 'cancel' AND run_id IN (SELECT value FROM json_each(:ids))

-- name: to_cancel (postgres)
SELECT DISTINCT run_id FROM run_controls WHERE kind = 'cancel' AND run_id = ANY (CAST(:ids AS text[]))

-- name: move_run
UPDATE runs SET status = :status, error = :error, result = :result, usage = coalesce(:usage, usage), lease_until = NULL,
                owner_host = NULL, owner_pid = NULL, owner_id = NULL, fence = fence + :fence_step,
                ended_at = :ended_at, updated_at = :now
WHERE run_id = :run_id
RETURNING *

-- name: move_run (postgres)
UPDATE runs SET status = :status, error = :error, result = :result,
                usage = coalesce(CAST(:usage AS jsonb), usage), lease_until = NULL,
                owner_host = NULL, owner_pid = NULL, owner_id = NULL, fence = fence + :fence_step,
                ended_at = :ended_at, updated_at = :now
WHERE run_id = :run_id
RETURNING *

-- name: find_orphans
SELECT * FROM runs
WHERE status = 'running' AND (lease_until IS NULL OR lease_until < :now OR owner_host = :host)
ORDER BY created_at, run_id

-- name: open_runs
SELECT * FROM runs WHERE session_id = :session_id AND status IN ('queued', 'running', 'interrupted')
ORDER BY created_at, run_id

-- name: next_queued
SELECT * FROM runs WHERE session_id = :session_id AND status = 'queued' ORDER BY created_at, run_id LIMIT 1

-- name: queued
SELECT r.* FROM runs r
WHERE r.status = 'queued'
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status = 'running')
ORDER BY r.created_at, r.run_id LIMIT :limit

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

-- name: delete_run
DELETE FROM runs WHERE run_id = :run_id

-- name: add_control
INSERT INTO run_controls (run_id, idx, kind, data, created_at)
SELECT :run_id, coalesce(max(idx), 0) + 1, :kind, :data, :now FROM run_controls WHERE run_id = :run_id
RETURNING idx

-- name: add_control (postgres)
INSERT INTO run_controls (run_id, idx, kind, data, created_at)
SELECT :run_id, coalesce(max(idx), 0) + 1, :kind, CAST(:data AS jsonb), CAST(:now AS timestamptz)
FROM run_controls WHERE run_id = :run_id
RETURNING idx

-- name: controls
SELECT idx, kind, data, created_at FROM run_controls WHERE run_id = :run_id AND idx > :after ORDER BY idx

-- name: set_kwargs
UPDATE runs SET kwargs = :kwargs, updated_at = :now WHERE run_id = :run_id

-- name: begin_run
INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy, fence,
                  attempts, owner_host, owner_pid, owner_id, lease_until, created_at, updated_at, started_at)
SELECT :run_id, s.session_id, :assistant, 'running', :input, :request_id, :kwargs, :metadata, :multitask_strategy, 1,
       1, :host, :pid, :owner, :lease_until, :now, :now, :now
FROM chat_sessions s
WHERE s.session_id = :session_id
  AND NOT EXISTS (SELECT 1 FROM runs o
                  WHERE o.session_id = :session_id AND o.status IN ('queued', 'running', 'interrupted'))
ON CONFLICT DO NOTHING
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
SELECT :session_id, 'user', :content, :request_id, :run_id, :now WHERE changes() = 1 AND :content IS NOT NULL;
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND changes() = 1

-- name: begin_run (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE
), made AS (
  INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                    fence, attempts, owner_host, owner_pid, owner_id, lease_until, created_at, updated_at, started_at)
  SELECT :run_id, h.session_id, :assistant, 'running', CAST(:input AS jsonb), :request_id, CAST(:kwargs AS jsonb),
         CAST(:metadata AS jsonb), :multitask_strategy, 1, 1, :host, CAST(:pid AS integer), :owner,
         CAST(:lease_until AS timestamptz), CAST(:now AS timestamptz), CAST(:now AS timestamptz),
         CAST(:now AS timestamptz)
  FROM held h
  WHERE NOT EXISTS (SELECT 1 FROM runs o
                    WHERE o.session_id = :session_id AND o.status IN ('queued', 'running', 'interrupted'))
  ON CONFLICT DO NOTHING
  RETURNING *
), said AS (
  INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
  SELECT m.session_id, 'user', CAST(:content AS text), m.request_id, m.run_id, m.created_at
  FROM made m WHERE CAST(:content AS text) IS NOT NULL
  RETURNING session_id
), counted AS (
  UPDATE chat_sessions c
  SET message_count = c.message_count + 1, last_message = :last_message, updated_at = CAST(:now AS timestamptz)
  FROM said WHERE c.session_id = said.session_id
)
SELECT * FROM made

-- name: end_run
UPDATE runs SET status = :status, error = :error, result = :result, usage = coalesce(:usage, usage), lease_until = NULL,
                owner_host = NULL, owner_pid = NULL, owner_id = NULL, fence = fence + 1,
                ended_at = :ended_at, updated_at = :now
WHERE run_id = :run_id AND session_id = :session_id AND fence = :fence AND status = 'running'
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
SELECT :session_id, 'assistant', :content, :structured_data, :request_id, :run_id, :now
WHERE changes() = 1 AND :content IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM chat_messages WHERE run_id = :run_id AND session_id = :session_id AND role = 'assistant');
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND changes() = 1

-- name: end_run (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE
), ended AS (
  UPDATE runs r
  SET status = :status, error = CAST(:error AS jsonb), result = CAST(:result AS jsonb),
      usage = coalesce(CAST(:usage AS jsonb), r.usage), lease_until = NULL, owner_host = NULL, owner_pid = NULL,
      owner_id = NULL, fence = r.fence + 1, ended_at = CAST(:ended_at AS timestamptz),
      updated_at = CAST(:now AS timestamptz)
  FROM held h
  WHERE r.run_id = :run_id AND r.session_id = h.session_id AND r.fence = :fence AND r.status = 'running'
  RETURNING r.*
), said AS (
  INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
  SELECT e.session_id, 'assistant', CAST(:content AS text), CAST(:structured_data AS jsonb), e.request_id, e.run_id,
         CAST(:now AS timestamptz)
  FROM ended e
  WHERE CAST(:content AS text) IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM chat_messages WHERE run_id = :run_id AND session_id = :session_id AND role = 'assistant')
  RETURNING session_id
), counted AS (
  UPDATE chat_sessions c
  SET message_count = c.message_count + 1, last_message = :last_message, updated_at = CAST(:now AS timestamptz)
  FROM said WHERE c.session_id = said.session_id
)
SELECT * FROM ended
