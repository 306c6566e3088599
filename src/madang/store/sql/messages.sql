-- name: add_message
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
VALUES (:session_id, :role, :content, :structured_data, :request_id, :run_id, :now)
RETURNING id

-- name: count_in
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id

-- name: forget_messages
DELETE FROM chat_messages WHERE session_id = :session_id AND run_id = :run_id RETURNING id

-- name: count_out
UPDATE chat_sessions SET message_count = message_count - :gone, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id

-- name: list_messages
SELECT * FROM chat_messages WHERE session_id = :session_id AND id > :after ORDER BY id LIMIT :limit

-- name: latest_messages
SELECT * FROM chat_messages WHERE session_id = :session_id AND id < :before ORDER BY id DESC LIMIT :limit
