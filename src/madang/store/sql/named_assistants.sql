-- name: add
INSERT INTO assistants (assistant_id, owner, version, created_at, updated_at)
VALUES (:assistant_id, :owner, 1, :now, :now) ON CONFLICT DO NOTHING RETURNING assistant_id

-- name: add_version
INSERT INTO assistant_versions (assistant_id, version, graph_id, name, description, config, context, metadata, created_at)
VALUES (:assistant_id, :version, :graph_id, :name, :description, :config, :context, :metadata, :now)

-- name: of_owner
SELECT v.*, a.owner, a.created_at AS made_at, a.updated_at FROM assistants a
JOIN assistant_versions v ON v.assistant_id = a.assistant_id AND v.version = a.version
WHERE a.owner = :owner ORDER BY a.created_at, a.assistant_id

-- name: get
SELECT v.*, a.owner, a.created_at AS made_at, a.updated_at FROM assistants a
JOIN assistant_versions v ON v.assistant_id = a.assistant_id AND v.version = a.version
WHERE a.owner = :owner AND a.assistant_id = :assistant_id

-- name: versions
SELECT v.*, a.owner, a.created_at AS made_at, a.updated_at FROM assistants a
JOIN assistant_versions v ON v.assistant_id = a.assistant_id
WHERE a.owner = :owner AND a.assistant_id = :assistant_id ORDER BY v.version DESC

-- name: lock
UPDATE assistants SET updated_at = :now WHERE owner = :owner AND assistant_id = :assistant_id RETURNING version

-- name: last_version
SELECT max(version) AS version FROM assistant_versions WHERE assistant_id = :assistant_id

-- name: set_version
UPDATE assistants SET version = :version, updated_at = :now
WHERE owner = :owner AND assistant_id = :assistant_id AND EXISTS (
  SELECT 1 FROM assistant_versions v WHERE v.assistant_id = assistants.assistant_id AND v.version = :version)
RETURNING assistant_id

-- name: remove
DELETE FROM assistants WHERE owner = :owner AND assistant_id = :assistant_id RETURNING assistant_id
