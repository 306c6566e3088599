-- name: get_memory
SELECT * FROM memories WHERE namespace = :namespace AND key = :key AND (expires_at IS NULL OR expires_at > :now)

-- name: under
SELECT * FROM memories
WHERE (namespace = :prefix OR (namespace >= :low AND namespace < :high) OR :prefix = '')
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY updated_at DESC, namespace, key

-- name: under (postgres)
SELECT * FROM memories
WHERE (namespace = :prefix OR starts_with(namespace, :low) OR :prefix = '')
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY updated_at DESC, namespace, key

-- name: put_memory
INSERT INTO memories (namespace, key, value, embedding, created_at, updated_at, ttl_minutes, expires_at)
VALUES (:namespace, :key, :value, :embedding, :now, :now, :ttl, :expires_at)
ON CONFLICT (namespace, key) DO UPDATE
SET value = excluded.value, embedding = excluded.embedding, updated_at = excluded.updated_at,
    ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at

-- name: delete_memory
DELETE FROM memories WHERE namespace = :namespace AND key = :key

-- name: refresh
UPDATE memories SET expires_at = :expires_at WHERE namespace = :namespace AND key = :key AND ttl_minutes IS NOT NULL

-- name: namespaces
SELECT DISTINCT namespace FROM memories WHERE expires_at IS NULL OR expires_at > :now

-- name: sweep
DELETE FROM memories WHERE expires_at <= :now
