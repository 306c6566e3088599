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
WITH given AS MATERIALIZED (
  SELECT g->>'session_id' AS session_id, g->>'run_id' AS run_id, CAST(g->>'fence' AS bigint) AS fence,
         CAST(g->>'after' AS bigint) AS after, CAST(g->>'last_seq' AS bigint) AS last_seq,
         CAST(g->>'now' AS timestamptz) AS created_at, g->'rows' AS rows
  FROM jsonb_array_elements(CAST(:given AS jsonb)) g
), held AS MATERIALIZED (
  SELECT s.session_id, s.last_seq FROM chat_sessions s WHERE s.session_id = ANY (CAST(:session_ids AS text[]))
  ORDER BY s.session_id FOR NO KEY UPDATE
), leased AS MATERIALIZED (
  SELECT r.run_id, r.session_id, r.fence FROM runs r
  WHERE r.session_id IN (SELECT session_id FROM held) AND r.run_id = ANY (CAST(:run_ids AS text[]))
    AND r.status = 'running'
  ORDER BY r.run_id FOR SHARE
), good AS MATERIALIZED (
  SELECT g.* FROM given g
  JOIN held h ON h.session_id = g.session_id AND h.last_seq = g.after
  JOIN leased l ON l.run_id = g.run_id AND l.session_id = g.session_id AND l.fence = g.fence
), added AS (
  INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
  SELECT g.session_id, CAST(e->>'seq' AS bigint), g.run_id, e->>'key', e->>'type', e->'frame', g.created_at
  FROM good g, jsonb_array_elements(g.rows) e
), numbered AS (
  UPDATE chat_sessions s SET last_seq = g.last_seq FROM good g
  WHERE s.session_id = g.session_id AND s.session_id = ANY (CAST(:session_ids AS text[]))
)
SELECT session_id FROM good
