-- name: get_document
SELECT * FROM documents WHERE document_id = :document_id

-- name: get_version
SELECT d.*, v.version, v.title, v.content, v.metadata, v.created_at AS version_at
FROM documents d JOIN document_versions v ON v.session_id = d.session_id AND v.document_id = d.document_id
WHERE d.document_id = :document_id AND v.version = coalesce(CAST(:version AS integer), d.version)

-- name: saved_version
SELECT d.*, v.version, v.title, v.content, v.metadata, v.created_at AS version_at
FROM documents d JOIN document_versions v ON v.session_id = d.session_id AND v.document_id = d.document_id
WHERE d.session_id = :session_id AND d.document_id = :document_id AND v.version = :version

-- name: versions
SELECT d.*, v.version, v.title, v.content, v.metadata, v.created_at AS version_at
FROM documents d JOIN document_versions v ON v.session_id = d.session_id AND v.document_id = d.document_id
WHERE d.document_id = :document_id ORDER BY v.version

-- name: add_document
INSERT INTO documents (document_id, session_id, run_id, step_id, assistant, kind, title, content, metadata,
                       user_id, company_id, version, created_at, updated_at)
VALUES (:document_id, :session_id, :run_id, :step_id, :assistant, :kind, :title, :content, :metadata,
        :user_id, :company_id, 1, :now, :now)

-- name: next_version
UPDATE documents SET title = :title, content = :content, metadata = :metadata, run_id = :run_id, step_id = :step_id,
                     version = :version, updated_at = :now
WHERE session_id = :session_id AND document_id = :document_id

-- name: add_version
INSERT INTO document_versions (session_id, document_id, version, title, content, metadata, created_at)
VALUES (:session_id, :document_id, :version, :title, :content, :metadata, :now)

-- name: add_file
INSERT INTO document_files (session_id, document_id, version, format, data)
VALUES (:session_id, :document_id, :version, :format, :data)
ON CONFLICT (session_id, document_id, version, format) DO UPDATE SET data = excluded.data

-- name: formats
SELECT f.version, f.format
FROM documents d JOIN document_files f ON f.session_id = d.session_id AND f.document_id = d.document_id
WHERE d.document_id = :document_id ORDER BY f.version, f.format

-- name: get_file
SELECT f.data, f.version FROM documents d
JOIN document_files f ON f.session_id = d.session_id AND f.document_id = d.document_id
WHERE d.document_id = :document_id AND f.format = :format
  AND f.version = coalesce(CAST(:version AS integer), d.version)

-- name: list_documents
SELECT d.*, d.updated_at AS version_at FROM documents d
WHERE (CAST(:session_id AS text) IS NULL OR session_id = CAST(:session_id AS text))
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:company_id AS text) IS NULL OR company_id = CAST(:company_id AS text))
  AND (CAST(:kind AS text) IS NULL OR kind = CAST(:kind AS text))
  AND (CAST(:after_time AS text) IS NULL OR (created_at, document_id) < (:after_time, :after_id))
ORDER BY created_at DESC, document_id DESC LIMIT :limit

-- name: list_documents (postgres)
SELECT d.*, d.updated_at AS version_at FROM documents d
WHERE (CAST(:session_id AS text) IS NULL OR session_id = CAST(:session_id AS text))
  AND (CAST(:user_id AS integer) IS NULL OR user_id = CAST(:user_id AS integer))
  AND (CAST(:company_id AS text) IS NULL OR company_id = CAST(:company_id AS text))
  AND (CAST(:kind AS text) IS NULL OR kind = CAST(:kind AS text))
  AND (CAST(:after_time AS timestamptz) IS NULL
       OR (created_at, document_id) < (CAST(:after_time AS timestamptz), CAST(:after_id AS text)))
ORDER BY created_at DESC, document_id DESC LIMIT :limit

-- name: delete_document
DELETE FROM documents WHERE document_id = :document_id
