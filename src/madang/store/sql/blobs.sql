-- name: put_blob
INSERT INTO blobs (session_id, blob_id, media_type, size, summary, data, created_at)
VALUES (:session_id, :blob_id, :media_type, :size, :summary, :data, :now)
ON CONFLICT (session_id, blob_id) DO NOTHING

-- name: get_blob
SELECT data FROM blobs WHERE session_id = :session_id AND blob_id = :blob_id

-- name: list_blobs
SELECT blob_id, media_type, size, summary, created_at FROM blobs WHERE session_id = :session_id
ORDER BY created_at, blob_id

-- name: delete_blob
DELETE FROM blobs WHERE session_id = :session_id AND blob_id = :blob_id
