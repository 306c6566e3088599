-- name: search
SELECT * FROM (
  SELECT s.*,
         (SELECT max(c.checkpoint_id) FROM checkpoints c
          WHERE c.session_id = s.session_id AND c.checkpoint_ns = '') AS newest_checkpoint,
         CASE
           WHEN EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.session_id AND r.status IN ('queued', 'running'))
           THEN 'busy'
           WHEN (SELECT r.status FROM runs r WHERE r.session_id = s.session_id
                 ORDER BY r.created_at DESC, r.run_id DESC LIMIT 1) = 'failed'
           THEN 'error'
           ELSE 'still'
         END AS standing
  FROM chat_sessions s
  WHERE s.status NOT IN ('importing', 'passing', 'deleted')
) s
WHERE (CAST(:user_id AS integer) IS NULL OR s.user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR s.user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(CASE WHEN json_valid(s.metadata) THEN json_extract(s.metadata, '$.company_id') END, ''), :home)
          = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR s.assistant = CAST(:assistant AS text))
  AND (CAST(:title AS text) IS NULL
       OR coalesce(CASE WHEN json_valid(s.metadata) THEN json_extract(s.metadata, '$.title') END, s.title)
          = CAST(:title AS text))
  AND (CAST(:ids AS text) IS NULL OR s.session_id IN (SELECT value FROM json_each(:ids)))
  AND (CAST(:standing AS text) IS NULL OR s.standing = CAST(:standing AS text))

-- name: search (postgres)
SELECT * FROM (
  SELECT s.*,
         (SELECT max(c.checkpoint_id) FROM checkpoints c
          WHERE c.session_id = s.session_id AND c.checkpoint_ns = '') AS newest_checkpoint,
         CASE
           WHEN EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.session_id AND r.status IN ('queued', 'running'))
           THEN 'busy'
           WHEN (SELECT r.status FROM runs r WHERE r.session_id = s.session_id
                 ORDER BY r.created_at DESC, r.run_id DESC LIMIT 1) = 'failed'
           THEN 'error'
           ELSE 'still'
         END AS standing
  FROM chat_sessions s
  WHERE s.status NOT IN ('importing', 'passing', 'deleted')
) s
WHERE (CAST(:user_id AS integer) IS NULL OR s.user_id = CAST(:user_id AS integer))
  AND (CAST(:anonymous AS integer) = 0 OR s.user_id IS NULL)
  AND (CAST(:company AS text) IS NULL
       OR coalesce(nullif(s.metadata->>'company_id', ''), CAST(:home AS text)) = CAST(:company AS text))
  AND (CAST(:assistant AS text) IS NULL OR s.assistant = CAST(:assistant AS text))
  AND (CAST(:title AS text) IS NULL OR coalesce(s.metadata->>'title', s.title) = CAST(:title AS text))
  AND (CAST(:ids AS text[]) IS NULL OR s.session_id = ANY(CAST(:ids AS text[])))
  AND (CAST(:standing AS text) IS NULL OR s.standing = CAST(:standing AS text))

-- name: state_time
coalesce((SELECT CASE WHEN json_valid(c.checkpoint) THEN json_extract(c.checkpoint, '$.ts') END FROM checkpoints c WHERE c.session_id = s.session_id
          AND c.checkpoint_ns = '' AND c.checkpoint_id = s.newest_checkpoint), s.updated_at)

-- name: state_time (postgres)
coalesce((SELECT CAST(c.checkpoint->>'ts' AS timestamptz) FROM checkpoints c WHERE c.session_id = s.session_id
          AND c.checkpoint_ns = '' AND c.checkpoint_id = s.newest_checkpoint), s.updated_at)

-- name: passing_over
SELECT s.session_id FROM chat_sessions s
WHERE s.status = 'passing' AND s.updated_at < :before
  AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.session_id
                  AND (r.status IN ('queued', 'running') OR r.updated_at >= :before))
ORDER BY s.session_id

-- name: limited
SELECT * FROM chat_sessions
WHERE status = 'idle' AND CASE WHEN json_valid(metadata) THEN json_extract(metadata, '$.madang_ttl') END IS NOT NULL

-- name: limited (postgres)
SELECT * FROM chat_sessions WHERE status = 'idle' AND metadata ? 'madang_ttl'
