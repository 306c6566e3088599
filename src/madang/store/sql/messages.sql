-- name: add_message
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
VALUES (:session_id, :role, :content, :structured_data, :request_id, :run_id, :now)
RETURNING id

-- name: count_in
UPDATE chat_sessions SET message_count = message_count + 1, last_message = :last_message, updated_at = :now
WHERE session_id = :session_id

-- name: message_of_run
SELECT * FROM chat_messages WHERE run_id = :run_id AND role = :role AND session_id = :session_id ORDER BY id LIMIT 1

-- name: list_messages
SELECT * FROM chat_messages WHERE session_id = :session_id AND id > :after ORDER BY id LIMIT :limit

-- name: latest_messages
SELECT * FROM chat_messages WHERE session_id = :session_id AND id < :before ORDER BY id DESC LIMIT :limit

-- name: count_messages
SELECT count(*) AS n FROM chat_messages WHERE session_id = :session_id
