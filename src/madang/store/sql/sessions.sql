-- name: create_session
INSERT INTO chat_sessions (session_id, assistant, user_id, title, parent_session_id, metadata, status,
                           created_at, updated_at)
VALUES (:session_id, :assistant, :user_id, :title, :parent_session_id, :metadata, :status, :now, :now)
ON CONFLICT (session_id) DO NOTHING
RETURNING session_id

-- name: finish_session
UPDATE chat_sessions SET status = 'idle' WHERE session_id = :session_id AND status = 'importing'

-- name: get_session
SELECT * FROM chat_sessions WHERE session_id = :session_id

-- name: lock_session
SELECT last_seq FROM chat_sessions WHERE session_id = :session_id

-- name: lock_session (postgres)
SELECT last_seq FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE

-- name: list_sessions
SELECT * FROM chat_sessions
WHERE status NOT IN ('importing', 'passing')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.company_id') END, ''), :home)
          = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:parent AS text) IS NULL OR parent_session_id = CAST(:parent AS text))
  AND (CAST(:search AS text) IS NULL OR lower(coalesce(title, '')) LIKE CAST(:search AS text) ESCAPE '!')
  AND (CAST(:after_time AS text) IS NULL OR (updated_at, session_id) < (:after_time, :after_id))
ORDER BY updated_at DESC, session_id DESC
LIMIT :limit

-- name: list_sessions (postgres)
SELECT * FROM chat_sessions
WHERE status NOT IN ('importing', 'passing')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(metadata->>'company_id', ''), CAST(:home AS text)) = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:parent AS text) IS NULL OR parent_session_id = CAST(:parent AS text))
  AND (CAST(:search AS text) IS NULL OR lower(coalesce(title, '')) LIKE CAST(:search AS text) ESCAPE '!')
  AND (CAST(:after_time AS timestamptz) IS NULL
       OR (updated_at, session_id) < (CAST(:after_time AS timestamptz), CAST(:after_id AS text)))
ORDER BY updated_at DESC, session_id DESC
LIMIT :limit

-- name: count_sessions
SELECT count(*) AS n FROM chat_sessions
WHERE status NOT IN ('importing', 'passing')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.company_id') END, ''), :home)
          = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:search AS text) IS NULL OR lower(coalesce(title, '')) LIKE CAST(:search AS text) ESCAPE '!')

-- name: count_sessions (postgres)
SELECT count(*) AS n FROM chat_sessions
WHERE status NOT IN ('importing', 'passing')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(metadata->>'company_id', ''), CAST(:home AS text)) = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:search AS text) IS NULL OR lower(coalesce(title, '')) LIKE CAST(:search AS text) ESCAPE '!')

-- name: rename_session
UPDATE chat_sessions SET title = :title, updated_at = :now WHERE session_id = :session_id

-- name: touch_session
UPDATE chat_sessions SET updated_at = :now WHERE session_id = :session_id

-- name: assign_session
UPDATE chat_sessions SET assistant = coalesce(assistant, :assistant) WHERE session_id = :session_id
RETURNING *

-- name: standings
SELECT s.session_id,
       (SELECT r.status FROM runs r WHERE r.session_id = s.session_id AND r.status IN ('queued', 'running')
        LIMIT 1) AS open_status,
       (SELECT r.status FROM runs r WHERE r.session_id = s.session_id ORDER BY r.created_at DESC, r.run_id DESC
        LIMIT 1) AS last_status
FROM chat_sessions s WHERE s.session_id IN (SELECT value FROM json_each(:ids))

-- name: standings (postgres)
SELECT s.session_id,
       (SELECT r.status FROM runs r WHERE r.session_id = s.session_id AND r.status IN ('queued', 'running')
        LIMIT 1) AS open_status,
       (SELECT r.status FROM runs r WHERE r.session_id = s.session_id ORDER BY r.created_at DESC, r.run_id DESC
        LIMIT 1) AS last_status
FROM chat_sessions s WHERE s.session_id = ANY(CAST(:ids AS text[]))

-- name: update_metadata
UPDATE chat_sessions SET metadata = :metadata, updated_at = :now WHERE session_id = :session_id

-- name: delete_session
DELETE FROM chat_sessions WHERE session_id = :session_id
