-- name: keys
SELECT key_id, canary FROM encryption_keys ORDER BY created_at, key_id

-- name: lock_keys
SELECT 1

-- name: lock_keys (postgres)
LOCK TABLE encryption_keys IN EXCLUSIVE MODE

-- name: add_key
INSERT INTO encryption_keys (key_id, canary, created_at) VALUES (:key_id, :canary, :now)

-- name: holds_anything
SELECT 1 FROM chat_sessions UNION ALL SELECT 1 FROM memories LIMIT 1
