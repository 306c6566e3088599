-- name: add_user
INSERT INTO users (name, issuer, subject, company_id, role, metadata, created_at)
VALUES (:name, :issuer, :subject, coalesce(CAST(:company_id AS text), 'sample'), :role, :metadata, :now)
ON CONFLICT DO NOTHING
RETURNING id

-- name: get_user
SELECT * FROM users WHERE id = :user_id

-- name: find_user
SELECT * FROM users WHERE name = :name

-- name: find_subject
SELECT * FROM users WHERE issuer = :issuer AND subject = :subject

-- name: list_users
SELECT u.*, (SELECT count(*) FROM api_keys k WHERE k.user_id = u.id AND k.revoked_at IS NULL) AS keys
FROM users u WHERE u.id > :after ORDER BY u.id LIMIT :limit

-- name: revoke_user
UPDATE users SET revoked_at = coalesce(revoked_at, :now) WHERE id = :user_id

-- name: revoke_keys_of
UPDATE api_keys SET revoked_at = :now WHERE user_id = :user_id AND revoked_at IS NULL

-- name: add_key
INSERT INTO api_keys (key_id, user_id, name, key_hash, scopes, created_at, expires_at)
VALUES (:key_id, :user_id, :name, :key_hash, :scopes, :now, :expires_at)

-- name: keys_of
SELECT * FROM api_keys WHERE user_id = :user_id ORDER BY created_at, key_id

-- name: find_key
SELECT u.*, k.key_hash, k.expires_at, k.last_used_at, k.revoked_at AS key_revoked_at
FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_id = :key_id

-- name: revoke_key
UPDATE api_keys SET revoked_at = coalesce(revoked_at, :now)
WHERE key_id = :key_id AND user_id = coalesce(CAST(:user_id AS integer), user_id)

-- name: key_used
UPDATE api_keys SET last_used_at = :now WHERE key_id = :key_id
