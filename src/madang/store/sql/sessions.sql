-- name: create_session
INSERT INTO chat_sessions (session_id, assistant, user_id, title, parent_session_id, metadata, status,
                           created_at, updated_at)
VALUES (:session_id, :assistant, :user_id, :title, :parent_session_id, :metadata, :status, :now, :now)
ON CONFLICT (session_id) DO NOTHING
RETURNING session_id

-- name: finish_session
UPDATE chat_sessions SET status = 'idle' WHERE session_id = :session_id AND status = 'importing'

-- name: get_session
SELECT * FROM chat_sessions WHERE session_id = :session_id AND status <> 'deleted'

-- name: lock_session
SELECT last_seq FROM chat_sessions WHERE session_id = :session_id

-- name: lock_session (postgres)
SELECT last_seq FROM chat_sessions WHERE session_id = :session_id FOR NO KEY UPDATE

-- name: list_sessions
SELECT * FROM chat_sessions
WHERE status NOT IN ('importing', 'passing', 'deleted')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.company_id') END, ''), :home)
          = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:parent AS text) IS NULL OR parent_session_id = CAST(:parent AS text))
  AND (CAST(:archived AS integer) IS NULL OR (archived_at IS NOT NULL) = (CAST(:archived AS integer) = 1))
  AND (:search IS NULL OR title LIKE :search ESCAPE '!'
       OR (length(:text) >= 3 AND session_id IN (
             SELECT m.session_id FROM chat_messages m
             WHERE m.id IN (SELECT rowid FROM message_search WHERE content LIKE '%' || :text || '%')
               AND m.content LIKE :search ESCAPE '!'))
       OR (length(:text) < 3 AND EXISTS (
             SELECT 1 FROM chat_messages m
             WHERE m.session_id = chat_sessions.session_id AND m.content LIKE :search ESCAPE '!')))
  AND (CAST(:after_time AS text) IS NULL OR (updated_at, session_id) < (:after_time, :after_id))
ORDER BY updated_at DESC, session_id DESC
LIMIT :limit

-- name: list_sessions (postgres)
SELECT * FROM chat_sessions
WHERE status NOT IN ('importing', 'passing', 'deleted')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(metadata->>'company_id', ''), CAST(:home AS text)) = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))
  AND (CAST(:parent AS text) IS NULL OR parent_session_id = CAST(:parent AS text))
  AND (CAST(:archived AS integer) IS NULL OR (archived_at IS NOT NULL) = (CAST(:archived AS integer) = 1))
  AND (CAST(:search AS text) IS NULL OR lower(coalesce(title, '')) LIKE CAST(:search AS text) ESCAPE '!'
       OR (length(:text) >= 2 AND session_id IN (
             SELECT m.session_id FROM chat_messages m
             WHERE m.content NOT LIKE 'sealed:%' AND madang_pairs(m.content) @> madang_pairs(CAST(:text AS text))
               AND lower(m.content) LIKE CAST(:search AS text) ESCAPE '!'))
       OR (length(:text) < 2 AND EXISTS (
             SELECT 1 FROM chat_messages m
             WHERE m.session_id = chat_sessions.session_id
               AND lower(m.content) LIKE CAST(:search AS text) ESCAPE '!')))
  AND (CAST(:after_time AS timestamptz) IS NULL
       OR (updated_at, session_id) < (CAST(:after_time AS timestamptz), CAST(:after_id AS text)))
ORDER BY updated_at DESC, session_id DESC
LIMIT :limit

-- name: count_sessions
SELECT count(*) AS n FROM chat_sessions
WHERE status NOT IN ('importing', 'passing', 'deleted')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.company_id') END, ''), :home)
          = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))

-- name: count_sessions (postgres)
SELECT count(*) AS n FROM chat_sessions
WHERE status NOT IN ('importing', 'passing', 'deleted')
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(metadata->>'company_id', ''), CAST(:home AS text)) = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR assistant = CAST(:assistant AS text))

-- name: rename_session
UPDATE chat_sessions SET title = :title, updated_at = :now WHERE session_id = :session_id AND status <> 'deleted'

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

-- name: said_in
SELECT id, session_id, content, created_at FROM chat_messages WHERE (session_id, id) IN (
  SELECT session_id, max(id) FROM chat_messages
  WHERE session_id IN (SELECT value FROM json_each(:ids)) AND content LIKE :search ESCAPE '!' GROUP BY session_id)

-- name: said_in (postgres)
SELECT id, session_id, content, created_at FROM chat_messages WHERE (session_id, id) IN (
  SELECT session_id, max(id) FROM chat_messages
  WHERE session_id = ANY(CAST(:ids AS text[])) AND lower(content) LIKE CAST(:search AS text) ESCAPE '!'
  GROUP BY session_id)

-- name: archive_session
UPDATE chat_sessions SET archived_at = :archived_at WHERE session_id = :session_id AND status <> 'deleted'

-- name: put_aside
UPDATE chat_sessions SET status = 'deleted', deleted_at = :now WHERE session_id = :session_id AND status = 'idle'

-- name: restore_session
UPDATE chat_sessions SET status = 'idle', deleted_at = NULL
WHERE session_id = :session_id AND status = 'deleted' AND deleted_at > :since
RETURNING *

-- name: get_put_aside
SELECT * FROM chat_sessions WHERE session_id = :session_id AND status = 'deleted' AND deleted_at > :since

-- name: purge_sessions
DELETE FROM chat_sessions WHERE status = 'deleted' AND deleted_at <= :before RETURNING session_id

-- name: purge_session
DELETE FROM chat_sessions WHERE session_id = :session_id AND status = 'deleted'
