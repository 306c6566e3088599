-- name: look_at (postgres)
WITH held AS MATERIALIZED (
  SELECT session_id FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE
)
SELECT madang_look_at(h.session_id) FROM held h

-- name: lost_jobs (postgres)
SELECT DISTINCT r.session_id FROM runs r
WHERE r.status = 'queued' AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
  AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status IN ('running', 'interrupted'))
  AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs j WHERE j.queueing_lock = r.session_id AND j.status = 'todo')
LIMIT :limit

-- name: forget_dead_jobs (postgres)
DELETE FROM procrastinate_jobs j
WHERE j.task_name = 'madang.look_at' AND j.status <> 'todo' AND (
  j.status <> 'doing'
  OR (j.worker_id = CAST(:worker_id AS bigint) AND NOT j.id = ANY (CAST(:held AS bigint[])))
  OR NOT EXISTS (
    SELECT 1 FROM procrastinate_workers w WHERE w.id = j.worker_id
      AND w.last_heartbeat > clock_timestamp() - make_interval(secs => CAST(:patience AS double precision))))
  AND NOT EXISTS (
    SELECT 1 FROM procrastinate_events e WHERE e.job_id = j.id
      AND e.at > clock_timestamp() - make_interval(secs => CAST(:patience AS double precision)))

-- name: give_back_jobs (postgres)
DELETE FROM procrastinate_jobs WHERE worker_id = CAST(:worker_id AS bigint) AND status = 'doing'
RETURNING queueing_lock AS session_id

-- name: take_period
INSERT INTO periodic_jobs (name, due_at)
VALUES (:name, strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now', :seconds || ' seconds'))
ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
WHERE periodic_jobs.due_at <= strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now')
RETURNING name

-- name: take_period (postgres)
INSERT INTO periodic_jobs (name, due_at)
VALUES (:name, clock_timestamp() + make_interval(secs => CAST(:seconds AS double precision)))
ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
WHERE periodic_jobs.due_at <= clock_timestamp()
RETURNING name

-- name: tell (postgres)
SELECT pg_notify(:channel, payload) FROM unnest(CAST(:payloads AS text[])) AS payload

-- name: last_seqs (postgres)
SELECT session_id, last_seq FROM chat_sessions WHERE session_id = ANY (CAST(:ids AS text[]))
