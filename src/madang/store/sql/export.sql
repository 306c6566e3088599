-- name: session
SELECT * FROM chat_sessions WHERE session_id = :session_id

-- name: messages
SELECT * FROM chat_messages WHERE session_id = :session_id ORDER BY id

-- name: runs
SELECT * FROM runs WHERE session_id = :session_id ORDER BY created_at, run_id

-- name: controls
SELECT run_id, idx, kind, data, created_at FROM run_controls WHERE session_id = :session_id ORDER BY run_id, idx

-- name: events
SELECT * FROM run_events WHERE session_id = :session_id ORDER BY seq

-- name: documents
SELECT * FROM documents WHERE session_id = :session_id ORDER BY created_at, document_id

-- name: document_versions
SELECT document_id, version, title, content, metadata, created_at FROM document_versions
WHERE session_id = :session_id ORDER BY document_id, version

-- name: document_files
SELECT document_id, version, format, data FROM document_files
WHERE session_id = :session_id ORDER BY document_id, version, format

-- name: blobs
SELECT * FROM blobs WHERE session_id = :session_id ORDER BY created_at, blob_id

-- name: task_paths
SELECT DISTINCT checkpoint_ns, checkpoint_id, task_id, task_path FROM checkpoint_writes WHERE session_id = :session_id

-- name: start_import
INSERT INTO chat_sessions (session_id, status, metadata, created_at, updated_at)
VALUES (:session_id, 'importing', :metadata, :now, :now)
ON CONFLICT (session_id) DO NOTHING

-- name: forget_import
DELETE FROM chat_sessions WHERE session_id = :session_id AND status = 'importing'

-- name: end_import
UPDATE chat_sessions
SET user_id = :user_id, assistant = :assistant, title = :title, message_count = :message_count,
    last_message = :last_message, parent_session_id = :parent_session_id, status = :status, metadata = :metadata,
    last_seq = :last_seq, created_at = :created_at, updated_at = :updated_at
WHERE session_id = :session_id AND status = 'importing'

-- name: add_message
INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
VALUES (:session_id, :role, :content, :structured_data, :request_id, :run_id, :created_at)

-- name: add_run
INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                  fence, attempts, error, result, usage, created_at, updated_at, started_at, ended_at)
VALUES (:run_id, :session_id, :assistant, :status, :input, :request_id, :kwargs, :metadata, :multitask_strategy,
        :fence, :attempts, :error, :result, :usage, :created_at, :updated_at, :started_at, :ended_at)

-- name: add_control
INSERT INTO run_controls (session_id, run_id, idx, kind, data, created_at)
VALUES (:session_id, :run_id, :idx, :kind, :data, :created_at)

-- name: add_event
INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
VALUES (:session_id, :seq, :run_id, :key, :type, :frame, :created_at)

-- name: add_document
INSERT INTO documents (document_id, session_id, run_id, step_id, assistant, kind, title, content, metadata,
                       user_id, company_id, version, created_at, updated_at)
VALUES (:document_id, :session_id, :run_id, :step_id, :assistant, :kind, :title, :content, :metadata,
        :user_id, :company_id, :version, :created_at, :updated_at)

-- name: add_document_version
INSERT INTO document_versions (session_id, document_id, version, title, content, metadata, created_at)
VALUES (:session_id, :document_id, :version, :title, :content, :metadata, :created_at)

-- name: add_document_file
INSERT INTO document_files (session_id, document_id, version, format, data)
VALUES (:session_id, :document_id, :version, :format, :data)

-- name: ids_elsewhere
SELECT run_id AS id FROM runs WHERE run_id IN (SELECT value FROM json_each(:run_ids)) AND session_id <> :session_id
UNION ALL
SELECT document_id FROM documents
WHERE document_id IN (SELECT value FROM json_each(:document_ids)) AND session_id <> :session_id

-- name: ids_elsewhere (postgres)
SELECT run_id AS id FROM runs WHERE run_id = ANY (CAST(:run_ids AS text[])) AND session_id <> :session_id
UNION ALL
SELECT document_id FROM documents
WHERE document_id = ANY (CAST(:document_ids AS text[])) AND session_id <> :session_id
