-- name: run_and_seen
SELECT r.status, r.fence, r.request_id, e.key, e.seq, e.frame
FROM runs r
LEFT JOIN run_events e
  ON e.session_id = r.session_id AND e.run_id = r.run_id AND e.key IN (SELECT value FROM json_each(:keys))
WHERE r.run_id = :run_id AND r.session_id = :session_id

-- name: run_and_seen (postgres)
SELECT r.status, r.fence, r.request_id, e.key, e.seq, e.frame
FROM runs r
LEFT JOIN run_events e ON e.session_id = r.session_id AND e.run_id = r.run_id AND e.key = ANY (CAST(:keys AS text[]))
WHERE r.run_id = :run_id AND r.session_id = :session_id

-- name: add_events
INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
SELECT :session_id, json_extract(value, '$.seq'), :run_id, json_extract(value, '$.key'), json_extract(value, '$.type'),
       json_extract(value, '$.frame'), :now
FROM json_each(:rows)

-- name: add_events (postgres)
WITH added AS (
    INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
    SELECT :session_id, CAST(r->>'seq' AS bigint), :run_id, r->>'key', r->>'type', CAST(r->>'frame' AS jsonb),
           CAST(:now AS timestamptz)
    FROM jsonb_array_elements(CAST(:rows AS jsonb)) r
)
UPDATE chat_sessions SET last_seq = :last_seq WHERE session_id = :session_id

-- name: set_last_seq
UPDATE chat_sessions SET last_seq = :last_seq WHERE session_id = :session_id

-- name: read_events
SELECT seq, frame FROM run_events WHERE session_id = :session_id AND seq > :after ORDER BY seq LIMIT :limit

-- name: events_of_run
SELECT seq, frame FROM run_events WHERE session_id = :session_id AND run_id = :run_id AND seq > :after
ORDER BY seq LIMIT :limit

-- name: last_seq
SELECT last_seq FROM chat_sessions WHERE session_id = :session_id

-- name: keys_of_run
SELECT key FROM run_events WHERE session_id = :session_id AND run_id = :run_id AND key IS NOT NULL

-- name: fence_holds
SELECT 1 FROM runs WHERE run_id = :run_id AND session_id = :session_id AND fence = :fence AND status = 'running'

-- name: add_event
INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
VALUES (:session_id, :seq, :run_id, :key, :type, :frame, :now)

-- name: extend (postgres)
SELECT * FROM madang_extend_events(:given, :session_ids, :run_ids) AS session_id
