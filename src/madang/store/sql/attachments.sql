-- name: add_attachment
INSERT INTO attachments (file_id, session_id, name, kind, size, row_count, content, created_at)
SELECT :file_id, s.session_id, :name, :kind, :size, :row_count, :content, :now
FROM chat_sessions s WHERE s.session_id = :session_id AND s.status <> 'deleted'
RETURNING file_id

-- name: add_attachment (postgres)
INSERT INTO attachments (file_id, session_id, name, kind, size, row_count, content, created_at)
SELECT :file_id, s.session_id, :name, :kind, CAST(:size AS bigint), CAST(:row_count AS integer), :content,
       CAST(:now AS timestamptz)
FROM chat_sessions s WHERE s.session_id = :session_id AND s.status <> 'deleted'
RETURNING file_id

-- name: attachments
SELECT * FROM attachments
WHERE session_id = :session_id AND file_id IN (SELECT value FROM json_each(:ids))

-- name: attachments (postgres)
SELECT * FROM attachments WHERE session_id = :session_id AND file_id = ANY (CAST(:ids AS text[]))

-- name: count_attachments
SELECT count(*) AS n FROM attachments WHERE session_id = :session_id
