-- name: add_run
INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy, fence,
                  attempts, owner_host, owner_pid, owner_id, lease_until, created_at, updated_at, started_at)
SELECT :run_id, s.session_id, :assistant, :status, :input, :request_id, :kwargs, :metadata, :multitask_strategy,
       :claims, :claims, :host, :pid, :owner, :lease_until, :now, :now, :started_at
FROM chat_sessions s
WHERE s.session_id = :session_id
  AND (:status = 'queued' OR NOT EXISTS (
    SELECT 1 FROM runs o WHERE o.session_id = :session_id AND o.status IN ('queued', 'running', 'interrupted')))
ON CONFLICT DO NOTHING
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
SELECT :session_id, 'user', :content, :request_id, :run_id, :now WHERE changes() = 1 AND :content IS NOT NULL;
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND changes() = 1

-- name: add_run (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE
), made AS (
  INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                    fence, attempts, owner_host, owner_pid, owner_id, lease_until, created_at, updated_at, started_at)
  SELECT :run_id, h.session_id, :assistant, :status, CAST(:input AS jsonb), :request_id, CAST(:kwargs AS jsonb),
         CAST(:metadata AS jsonb), :multitask_strategy, :claims, :claims, :host, CAST(:pid AS integer), :owner,
         CAST(:lease_until AS timestamptz), CAST(:now AS timestamptz), CAST(:now AS timestamptz),
         CAST(:started_at AS timestamptz)
  FROM held h
  WHERE :status = 'queued' OR NOT EXISTS (
    SELECT 1 FROM runs o WHERE o.session_id = :session_id AND o.status IN ('queued', 'running', 'interrupted'))
  ON CONFLICT DO NOTHING
  RETURNING *
), said AS (
  INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
  SELECT m.session_id, 'user', CAST(:content AS text), m.request_id, m.run_id, CAST(:now AS timestamptz)
  FROM made m WHERE CAST(:content AS text) IS NOT NULL
  RETURNING session_id
), counted AS (
  UPDATE chat_sessions c
  SET message_count = c.message_count + 1, last_message = :last_message, updated_at = CAST(:now AS timestamptz)
  FROM said WHERE c.session_id = said.session_id
)
SELECT * FROM made

-- name: session
SELECT 1 FROM chat_sessions WHERE session_id = :session_id

-- name: claim_run
UPDATE runs SET status = 'running', fence = fence + 1, attempts = attempts + 1, owner_host = :host, owner_pid = :pid,
                owner_id = :owner, lease_until = :lease_until, started_at = coalesce(started_at, :now),
                updated_at = :now, error = NULL, kwargs = coalesce(:kwargs, kwargs)
WHERE run_id = :run_id AND status IN ('queued', 'interrupted')
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.status = 'running')
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
SELECT r.session_id, 'user', :content, r.request_id, r.run_id, :now
FROM runs r WHERE r.run_id = :run_id AND changes() = 1 AND :content IS NOT NULL;
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND changes() = 1

-- name: claim_run (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE
), claimed AS (
  UPDATE runs r
  SET status = 'running', fence = r.fence + 1, attempts = r.attempts + 1, owner_host = :host, owner_pid = :pid,
      owner_id = :owner, lease_until = CAST(:lease_until AS timestamptz),
      started_at = coalesce(r.started_at, CAST(:now AS timestamptz)), updated_at = CAST(:now AS timestamptz),
      error = NULL, kwargs = coalesce(CAST(:kwargs AS jsonb), r.kwargs)
  FROM held h
  WHERE r.run_id = :run_id AND r.session_id = h.session_id AND r.status IN ('queued', 'interrupted')
    AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = h.session_id AND o.status = 'running')
  RETURNING r.*
), said AS (
  INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
  SELECT c.session_id, 'user', CAST(:content AS text), c.request_id, c.run_id, CAST(:now AS timestamptz)
  FROM claimed c WHERE CAST(:content AS text) IS NOT NULL
  RETURNING session_id
), counted AS (
  UPDATE chat_sessions c
  SET message_count = c.message_count + 1, last_message = :last_message, updated_at = CAST(:now AS timestamptz)
  FROM said WHERE c.session_id = said.session_id
)
SELECT * FROM claimed

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

-- name: end_run
UPDATE runs SET status = :status, error = :error, result = :result, usage = coalesce(:usage, usage), lease_until = NULL,
                owner_host = NULL, owner_pid = NULL, owner_id = NULL, fence = fence + 1,
                ended_at = :ended_at, updated_at = :now
WHERE run_id = :run_id AND session_id = :session_id AND fence = :fence AND status = 'running'
  AND (:lease_until IS NULL OR lease_until = :lease_until)
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
    AND (CAST(:lease_until AS timestamptz) IS NULL OR r.lease_until = CAST(:lease_until AS timestamptz))
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

-- name: cancel_run
UPDATE runs SET status = 'cancelled', error = NULL, result = NULL, lease_until = NULL, owner_host = NULL,
                owner_pid = NULL, owner_id = NULL, fence = fence + CASE status WHEN 'running' THEN 1 ELSE 0 END,
                ended_at = :now, updated_at = :now
WHERE run_id = :run_id AND status IN ('queued', 'running', 'interrupted')
RETURNING *

-- name: cancel_run (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions
  WHERE session_id = (SELECT session_id FROM runs WHERE run_id = :run_id) FOR NO KEY UPDATE
)
UPDATE runs r
SET status = 'cancelled', error = NULL, result = NULL, lease_until = NULL, owner_host = NULL, owner_pid = NULL,
    owner_id = NULL, fence = r.fence + CASE r.status WHEN 'running' THEN 1 ELSE 0 END,
    ended_at = CAST(:now AS timestamptz), updated_at = CAST(:now AS timestamptz)
FROM held h
WHERE r.run_id = :run_id AND r.session_id = h.session_id AND r.status IN ('queued', 'running', 'interrupted')
RETURNING r.*
