-- name: session_columns
SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
WHERE t.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) k WHERE k.name = 'session_id')

-- name: session_columns (postgres)
SELECT t.table_name AS "table", c.column_name AS "column"
FROM information_schema.tables t
JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_type = 'BASE TABLE' AND t.table_schema = ANY (current_schemas(false))
  AND EXISTS (SELECT 1 FROM information_schema.columns k
              WHERE k.table_schema = t.table_schema AND k.table_name = t.table_name AND k.column_name = 'session_id')

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
