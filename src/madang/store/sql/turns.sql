-- name: add_run
INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                  continues, branch_of, fence, attempts, owner_host, owner_pid, owner_id, lease_until, created_at,
                  updated_at, started_at, not_before, priority)
SELECT :run_id, s.session_id, :assistant, :status, :input, :request_id, :kwargs, :metadata, :multitask_strategy,
       :continues, :branch_of, :claims, :claims, :host, :pid, :owner,
       CASE WHEN :owner IS NULL THEN NULL ELSE
         strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now', :lease || ' seconds') END,
       :now, :now, :started_at, :not_before, :priority
FROM chat_sessions s
WHERE s.session_id = :session_id AND s.status <> 'deleted'
  AND (:behind = 1 OR NOT EXISTS (
    SELECT 1 FROM runs o WHERE o.session_id = :session_id AND o.status IN ('queued', 'running', 'interrupted')))
ON CONFLICT DO NOTHING
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
SELECT :session_id, 'user', :content, :structured_data, :request_id, :run_id, :now
WHERE changes() = 1 AND :content IS NOT NULL;
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now,
                         title = coalesce(title, :title)
WHERE session_id = :session_id AND changes() = 1

-- name: add_run (postgres)
SELECT * FROM madang_add_run(:session_id, :run_id, :assistant, :status, :input, :request_id, :kwargs, :metadata,
  :multitask_strategy, :continues, :branch_of, :claims, :host, :pid, :owner, :lease, :now, :started_at, :not_before,
  :priority, :behind, :content, :structured_data, :last_message, :title)

-- name: last_queued
SELECT max(created_at) AS created_at, count(*) AS waiting FROM runs
WHERE session_id = :session_id AND status = 'queued'

-- name: session
SELECT 1 FROM chat_sessions WHERE session_id = :session_id AND status <> 'deleted'

-- name: claim_run
UPDATE runs SET status = 'running', fence = fence + 1, attempts = attempts + 1, owner_host = :host, owner_pid = :pid,
                owner_id = :owner, started_at = coalesce(started_at, :now), updated_at = :now,
                lease_until = strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now', :lease || ' seconds'),
                error = NULL, kwargs = coalesce(:kwargs, kwargs)
WHERE session_id = :session_id AND run_id = :run_id AND fence = :seen AND status IN ('queued', 'interrupted')
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.run_id <> runs.run_id
                  AND o.status IN ('running', 'interrupted'))
  AND NOT (status = 'queued' AND started_at IS NULL AND continues IS NULL AND EXISTS (
    SELECT 1 FROM runs o WHERE o.session_id = runs.session_id AND o.status = 'queued' AND o.started_at IS NOT NULL))
RETURNING *;
INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
SELECT r.session_id, 'user', :content, r.request_id, r.run_id, :now
FROM runs r WHERE r.session_id = :session_id AND r.run_id = :run_id AND changes() = 1 AND :content IS NOT NULL;
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND changes() = 1

-- name: claim_run (postgres)
SELECT * FROM madang_claim_run(:session_id, :host, :pid, :owner, :lease, :now, :kwargs, :run_id, :seen, :content,
  :last_message)

-- name: heartbeat
UPDATE runs SET lease_until = strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now', :lease || ' seconds'), updated_at = :now
WHERE status = 'running' AND (session_id, run_id, fence) IN (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(:held))
RETURNING run_id

-- name: heartbeat (postgres)
WITH held AS MATERIALIZED (
  SELECT r.session_id, r.run_id FROM jsonb_array_elements(CAST(:held AS jsonb)) h
  JOIN runs r ON r.session_id = h->>0 AND r.run_id = h->>1 AND r.fence = CAST(h->>2 AS bigint)
  WHERE r.status = 'running' ORDER BY r.run_id FOR NO KEY UPDATE OF r
)
UPDATE runs r SET lease_until = clock_timestamp() + make_interval(secs => CAST(:lease AS double precision)), updated_at = CAST(:now AS timestamptz)
FROM held WHERE r.session_id = held.session_id AND r.run_id = held.run_id
RETURNING r.run_id

-- name: to_cancel
SELECT DISTINCT run_id FROM run_controls WHERE kind = 'cancel'
  AND session_id IN (SELECT value FROM json_each(:sessions)) AND run_id IN (SELECT value FROM json_each(:ids))

-- name: to_cancel (postgres)
SELECT DISTINCT run_id FROM run_controls WHERE kind = 'cancel'
  AND session_id = ANY (CAST(:sessions AS text[])) AND run_id = ANY (CAST(:ids AS text[]))

-- name: end_run
UPDATE runs SET status = :status, error = :error, result = :result, usage = coalesce(:usage, usage), lease_until = NULL,
                owner_host = NULL, owner_pid = NULL, owner_id = NULL, fence = fence + 1, deaths = deaths + :died,
                ended_at = :ended_at, updated_at = :now
WHERE run_id = :run_id AND session_id = :session_id AND fence = :fence AND status = 'running'
  AND (:lease_until IS NULL OR lease_until = :lease_until)
  AND (:after IS NULL OR EXISTS (SELECT 1 FROM chat_sessions WHERE session_id = :session_id AND last_seq = :after))
RETURNING *, EXISTS (SELECT 1 FROM runs o WHERE o.session_id = :session_id AND o.status = 'queued') AS more;
INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
SELECT r.session_id, json_extract(value, '$.seq'), r.run_id, json_extract(value, '$.key'), json_extract(value, '$.type'),
       json_extract(value, '$.frame'), :now
FROM json_each(:events), runs r
WHERE r.session_id = :session_id AND r.run_id = :run_id AND r.fence = :fence + 1 AND r.updated_at = :now;
UPDATE chat_sessions SET last_seq = :last_seq
WHERE session_id = :session_id AND last_seq = :after AND EXISTS (
  SELECT 1 FROM runs r WHERE r.session_id = :session_id AND r.run_id = :run_id AND r.fence = :fence + 1 AND r.updated_at = :now);
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
SELECT r.session_id, 'assistant', :content, :structured_data, r.request_id, r.run_id, :now
FROM runs r
WHERE r.session_id = :session_id AND r.run_id = :run_id AND r.fence = :fence + 1 AND r.updated_at = :now AND :content IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM chat_messages WHERE run_id = :run_id AND session_id = :session_id AND role = 'assistant');
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id AND :content IS NOT NULL AND changes() = 1

-- name: end_run (postgres)
SELECT * FROM madang_end_run(:session_id, :after, :status, :error, :result, :usage, :died, :ended_at,
  :now, :run_id, :fence, :lease_until, :events, :content, :structured_data, :last_seq, :last_message)

-- name: cancel_run
UPDATE runs SET status = 'cancelled', error = NULL, result = NULL, lease_until = NULL, owner_host = NULL,
                owner_pid = NULL, owner_id = NULL, fence = fence + CASE status WHEN 'running' THEN 1 ELSE 0 END,
                ended_at = :now, updated_at = :now
WHERE run_id = :run_id AND status IN ('queued', 'running', 'interrupted') AND coalesce(:only, status) = status
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
  AND coalesce(CAST(:only AS text), r.status) = r.status
RETURNING r.*
