-- name: session_bytes
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(role AS BLOB)), 0)
           + coalesce(length(CAST(content AS BLOB)), 0)
           + coalesce(length(CAST(structured_data AS BLOB)), 0)
           + coalesce(length(CAST(request_id AS BLOB)), 0)
           + coalesce(length(CAST(run_id AS BLOB)), 0)
           + coalesce(length(CAST(created_at AS BLOB)), 0)) AS bytes, 'chat_messages' AS part
FROM chat_messages GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(checkpoint_ns AS BLOB)), 0)
           + coalesce(length(CAST(checkpoint_id AS BLOB)), 0)
           + coalesce(length(CAST(parent_checkpoint_id AS BLOB)), 0)
           + coalesce(length(CAST(type AS BLOB)), 0)
           + coalesce(length(CAST(checkpoint AS BLOB)), 0)
           + coalesce(length(CAST(metadata AS BLOB)), 0)
           + coalesce(length(CAST(packed AS BLOB)), 0)) AS bytes, 'checkpoints' AS part
FROM checkpoints GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(checkpoint_ns AS BLOB)), 0)
           + coalesce(length(CAST(channel AS BLOB)), 0)
           + coalesce(length(CAST(version AS BLOB)), 0)
           + coalesce(length(CAST(type AS BLOB)), 0)
           + coalesce(length(CAST(blob AS BLOB)), 0)) AS bytes, 'checkpoint_blobs' AS part
FROM checkpoint_blobs GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(checkpoint_ns AS BLOB)), 0)
           + coalesce(length(CAST(checkpoint_id AS BLOB)), 0)
           + coalesce(length(CAST(task_id AS BLOB)), 0)
           + coalesce(length(CAST(channel AS BLOB)), 0)
           + coalesce(length(CAST(type AS BLOB)), 0)
           + coalesce(length(CAST(blob AS BLOB)), 0)
           + coalesce(length(CAST(task_path AS BLOB)), 0)) AS bytes, 'checkpoint_writes' AS part
FROM checkpoint_writes GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(address AS BLOB)), 0)
           + coalesce(length(CAST(data AS BLOB)), 0)) AS bytes, 'chunks' AS part
FROM chunks GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(run_id AS BLOB)), 0)
           + coalesce(length(CAST(assistant AS BLOB)), 0)
           + coalesce(length(CAST(status AS BLOB)), 0)
           + coalesce(length(CAST(input AS BLOB)), 0)
           + coalesce(length(CAST(request_id AS BLOB)), 0)
           + coalesce(length(CAST(kwargs AS BLOB)), 0)
           + coalesce(length(CAST(metadata AS BLOB)), 0)
           + coalesce(length(CAST(error AS BLOB)), 0)
           + coalesce(length(CAST(result AS BLOB)), 0)
           + coalesce(length(CAST(usage AS BLOB)), 0)
           + coalesce(length(CAST(created_at AS BLOB)), 0)
           + coalesce(length(CAST(updated_at AS BLOB)), 0)
           + coalesce(length(CAST(started_at AS BLOB)), 0)
           + coalesce(length(CAST(ended_at AS BLOB)), 0)) AS bytes, 'runs' AS part
FROM runs GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(run_id AS BLOB)), 0)
           + coalesce(length(CAST(key AS BLOB)), 0)
           + coalesce(length(CAST(type AS BLOB)), 0)
           + coalesce(length(CAST(frame AS BLOB)), 0)
           + coalesce(length(CAST(created_at AS BLOB)), 0)) AS bytes, 'run_events' AS part
FROM run_events GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(document_id AS BLOB)), 0)
           + coalesce(length(CAST(run_id AS BLOB)), 0)
           + coalesce(length(CAST(step_id AS BLOB)), 0)
           + coalesce(length(CAST(assistant AS BLOB)), 0)
           + coalesce(length(CAST(kind AS BLOB)), 0)
           + coalesce(length(CAST(title AS BLOB)), 0)
           + coalesce(length(CAST(content AS BLOB)), 0)
           + coalesce(length(CAST(metadata AS BLOB)), 0)
           + coalesce(length(CAST(created_at AS BLOB)), 0)
           + coalesce(length(CAST(updated_at AS BLOB)), 0)) AS bytes, 'documents' AS part
FROM documents GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n,
       sum(coalesce(length(CAST(blob_id AS BLOB)), 0)
           + coalesce(length(CAST(media_type AS BLOB)), 0)
           + coalesce(length(CAST(summary AS BLOB)), 0)
           + coalesce(length(CAST(data AS BLOB)), 0)
           + coalesce(length(CAST(created_at AS BLOB)), 0)) AS bytes, 'blobs' AS part
FROM blobs GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, sum(length(data)) AS bytes, 'document_files' AS part
FROM document_files GROUP BY session_id

-- name: session_bytes (postgres)
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'chat_messages' AS part
FROM chat_messages t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'checkpoints' AS part
FROM checkpoints t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'checkpoint_blobs' AS part
FROM checkpoint_blobs t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'checkpoint_writes' AS part
FROM checkpoint_writes t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'chunks' AS part
FROM chunks t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'runs' AS part
FROM runs t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'run_events' AS part
FROM run_events t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'documents' AS part
FROM documents t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'blobs' AS part
FROM blobs t GROUP BY session_id
UNION ALL
SELECT session_id, count(*) AS n, CAST(sum(pg_column_size(t.*)) AS bigint) AS bytes, 'document_files' AS part
FROM document_files t GROUP BY session_id

-- name: turns
SELECT session_id, max(n) AS turns FROM (
    SELECT session_id, count(*) AS n FROM chat_messages WHERE role = 'user' GROUP BY session_id
    UNION ALL
    SELECT session_id, count(*) AS n FROM runs GROUP BY session_id
    UNION ALL
    SELECT session_id, count(*) AS n FROM checkpoints
    WHERE checkpoint_ns = '' AND json_extract(metadata, '$.source') = 'input' GROUP BY session_id
) counted GROUP BY session_id

-- name: turns (postgres)
SELECT session_id, max(n) AS turns FROM (
    SELECT session_id, count(*) AS n FROM chat_messages WHERE role = 'user' GROUP BY session_id
    UNION ALL
    SELECT session_id, count(*) AS n FROM runs GROUP BY session_id
    UNION ALL
    SELECT session_id, count(*) AS n FROM checkpoints
    WHERE checkpoint_ns = '' AND metadata->>'source' = 'input' GROUP BY session_id
) counted GROUP BY session_id

-- name: table_bytes
SELECT m.tbl_name AS name, sum(s.pgsize) AS bytes
FROM dbstat s JOIN sqlite_master m ON m.name = s.name
WHERE m.tbl_name NOT LIKE 'sqlite%' GROUP BY m.tbl_name ORDER BY bytes DESC, name

-- name: table_bytes (postgres)
SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname = ANY (current_schemas(false)) ORDER BY bytes DESC, name

-- name: total_bytes
SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()

-- name: total_bytes (postgres)
SELECT pg_database_size(current_database()) AS bytes

-- name: titles
SELECT session_id, title, assistant FROM chat_sessions WHERE session_id IN (SELECT value FROM json_each(:ids))

-- name: titles (postgres)
SELECT session_id, title, assistant FROM chat_sessions WHERE session_id = ANY (CAST(:ids AS text[]))
