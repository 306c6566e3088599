-- name: add_share
INSERT INTO shares (share_hash, share_id, session_id, redacted, last_message_id, created_at)
SELECT :share_hash, :share_id, s.session_id, :redacted,
       coalesce((SELECT max(m.id) FROM chat_messages m WHERE m.session_id = s.session_id), 0), :now
FROM chat_sessions s WHERE s.session_id = :session_id AND s.status <> 'deleted'
RETURNING last_message_id

-- name: add_share (postgres)
INSERT INTO shares (share_hash, share_id, session_id, redacted, last_message_id, created_at)
SELECT :share_hash, :share_id, s.session_id, CAST(:redacted AS integer),
       coalesce((SELECT max(m.id) FROM chat_messages m WHERE m.session_id = s.session_id), 0),
       CAST(:now AS timestamptz)
FROM chat_sessions s WHERE s.session_id = :session_id AND s.status <> 'deleted'
RETURNING last_message_id

-- name: get_share
SELECT h.* FROM shares h JOIN chat_sessions s ON s.session_id = h.session_id
WHERE h.share_hash = :share_hash AND s.status <> 'deleted'

-- name: shares_of
SELECT * FROM shares WHERE session_id = :session_id ORDER BY created_at DESC, share_hash

-- name: delete_share
DELETE FROM shares WHERE share_hash = :share_hash RETURNING share_hash
