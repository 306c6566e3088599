-- name: add_parts (postgres)
WITH added AS (
  INSERT INTO stream_parts (session_id, run_id, stream_key, number, part)
  SELECT s.session_id, :run_id, :key, t.number, t.part
  FROM chat_sessions s, unnest(CAST(:numbers AS bigint[]), CAST(:parts AS bytea[])) AS t (number, part)
  WHERE s.session_id = :session_id
  ON CONFLICT DO NOTHING
  RETURNING number
)
SELECT pg_notify('madang_parts', :run_id) FROM added LIMIT 1

-- name: parts_of_run (postgres)
SELECT stream_key, number, part FROM stream_parts
WHERE session_id = :session_id AND run_id = :run_id
  AND (stream_key <> CAST(:key AS text) OR number > CAST(:after AS bigint))
ORDER BY created_at, number LIMIT :limit

-- name: forget_parts (postgres)
DELETE FROM stream_parts WHERE created_at < now() - make_interval(secs => CAST(:seconds AS double precision))

-- name: watch (postgres)
WITH added AS (
  INSERT INTO session_watchers (session_id, owner_id, kind, until)
  SELECT s.session_id, :owner, :kind, clock_timestamp() + make_interval(secs => CAST(:seconds AS double precision))
  FROM chat_sessions s WHERE s.session_id = ANY (CAST(:ids AS text[]))
  ON CONFLICT (session_id, owner_id, kind) DO UPDATE SET until = excluded.until
  RETURNING session_id, (xmax = 0) AS fresh
)
SELECT pg_notify('madang_watched', json_build_array(session_id, CAST(:kind AS text))::text) FROM added WHERE fresh

-- name: unwatch (postgres)
DELETE FROM session_watchers WHERE session_id = :session_id AND owner_id = :owner AND kind = :kind

-- name: watched (postgres)
SELECT session_id, kind FROM session_watchers WHERE until > clock_timestamp()

-- name: forget_watchers (postgres)
DELETE FROM session_watchers WHERE until < clock_timestamp()
