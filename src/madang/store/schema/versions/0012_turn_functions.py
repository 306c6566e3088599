"""What a turn asks of Postgres most, as functions, whose plans a connection keeps.

Planning these statements took longer than carrying them out, and a transaction pooler allows no prepared ones.
"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# Named one by one: a function that returned the table's own row would go with the table when that is made again.
RUN = """
  run_id text, session_id text, assistant text, status text, input jsonb, request_id text, kwargs jsonb,
  metadata jsonb, multitask_strategy text, owner_host text, owner_pid integer, owner_id text,
  lease_until timestamptz, fence bigint, attempts integer, error jsonb, result jsonb, usage jsonb,
  created_at timestamptz, updated_at timestamptz, started_at timestamptz, ended_at timestamptz, continues text,
  deaths integer, not_before timestamptz, branch_of text, priority integer"""
COLUMNS = ", ".join(column.split()[0] for column in RUN.split(","))
SIGNATURE = "LANGUAGE plpgsql AS $$\n#variable_conflict use_column"

ADD_RUN = """
CREATE FUNCTION madang_add_run(
  new_session_id text, new_run_id text, new_assistant text, new_status text, new_input jsonb, new_request_id text,
  new_kwargs jsonb, new_metadata jsonb, new_multitask_strategy text, new_continues text, new_branch_of text,
  new_claims integer, new_host text, new_pid integer, new_owner text, new_lease double precision,
  new_now timestamptz, new_started_at timestamptz, new_not_before timestamptz, new_priority integer, new_behind integer,
  new_content text, new_structured_data jsonb, new_last_message text, new_title text
) RETURNS TABLE ({RUN}) {SIGNATURE}
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT session_id FROM chat_sessions WHERE session_id = new_session_id AND status <> 'deleted' FOR NO KEY UPDATE
  ), made AS (
    INSERT INTO runs (run_id, session_id, assistant, status, input, request_id, kwargs, metadata, multitask_strategy,
                      continues, branch_of, fence, attempts, owner_host, owner_pid, owner_id, lease_until, created_at,
                      updated_at, started_at, not_before, priority)
    SELECT new_run_id, h.session_id, new_assistant, new_status, new_input, new_request_id, new_kwargs,
           new_metadata, new_multitask_strategy, new_continues, new_branch_of, new_claims, new_claims, new_host,
           new_pid, new_owner, CASE WHEN new_owner IS NULL THEN NULL ELSE
             clock_timestamp() + make_interval(secs => new_lease) END,
           new_now, new_now,
           new_started_at, new_not_before, new_priority
    FROM held h
    WHERE new_behind = 1 OR NOT EXISTS (
      SELECT 1 FROM runs o WHERE o.session_id = new_session_id AND o.status IN ('queued', 'running', 'interrupted'))
    ON CONFLICT DO NOTHING
    RETURNING *
  ), said AS (
    INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
    SELECT m.session_id, 'user', new_content, new_structured_data, m.request_id, m.run_id,
           new_now
    FROM made m WHERE new_content IS NOT NULL
    RETURNING session_id
  ), counted AS (
    UPDATE chat_sessions c
    SET message_count = c.message_count + 1, last_message = new_last_message, updated_at = new_now,
        title = coalesce(c.title, new_title)
    FROM said WHERE c.session_id = said.session_id
  )
  SELECT {COLUMNS} FROM made;
END
$$
"""

CLAIM_RUN = """
CREATE FUNCTION madang_claim_run(
  new_session_id text, new_host text, new_pid integer, new_owner text, new_lease double precision,
  new_now timestamptz, new_kwargs jsonb, new_run_id text, new_seen bigint, new_content text, new_last_message text
) RETURNS TABLE ({RUN}) {SIGNATURE}
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT session_id FROM chat_sessions WHERE session_id = new_session_id FOR NO KEY UPDATE
  ), claimed AS (
    UPDATE runs r
    SET status = 'running', fence = r.fence + 1, attempts = r.attempts + 1, owner_host = new_host, owner_pid = new_pid,
        owner_id = new_owner, lease_until = clock_timestamp() + make_interval(secs => new_lease),
        started_at = coalesce(r.started_at, new_now), updated_at = new_now,
        error = NULL, kwargs = coalesce(new_kwargs, r.kwargs)
    FROM held h
    WHERE r.run_id = new_run_id AND r.session_id = h.session_id AND r.fence = new_seen
      AND r.status IN ('queued', 'interrupted')
      AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session_id = h.session_id AND o.run_id <> r.run_id
                      AND o.status IN ('running', 'interrupted'))
      AND NOT (r.status = 'queued' AND r.started_at IS NULL AND r.continues IS NULL AND EXISTS (
        SELECT 1 FROM runs o WHERE o.session_id = h.session_id AND o.status = 'queued' AND o.started_at IS NOT NULL))
    RETURNING r.*
  ), said AS (
    INSERT INTO chat_messages (session_id, role, content, request_id, run_id, created_at)
    SELECT c.session_id, 'user', new_content, c.request_id, c.run_id, new_now
    FROM claimed c WHERE new_content IS NOT NULL
    RETURNING session_id
  ), counted AS (
    UPDATE chat_sessions c
    SET message_count = c.message_count + 1, last_message = new_last_message, updated_at = new_now
    FROM said WHERE c.session_id = said.session_id
  )
  SELECT {COLUMNS} FROM claimed;
END
$$
"""

END_RUN = """
CREATE FUNCTION madang_end_run(
  new_session_id text, new_after bigint, new_status text, new_error jsonb, new_result jsonb, new_usage jsonb,
  new_died integer, new_ended_at timestamptz, new_now timestamptz, new_run_id text, new_fence bigint,
  new_lease_until timestamptz, new_events jsonb, new_content text, new_structured_data jsonb, new_last_seq bigint,
  new_last_message text
) RETURNS TABLE ({RUN}, more boolean) {SIGNATURE}
BEGIN
  WITH held AS MATERIALIZED (
    SELECT session_id FROM chat_sessions
    WHERE session_id = new_session_id AND (new_after IS NULL OR last_seq = new_after)
    FOR NO KEY UPDATE
  ), ended AS (
    UPDATE runs r
    SET status = new_status, error = new_error, result = new_result,
        usage = coalesce(new_usage, r.usage), lease_until = NULL, owner_host = NULL, owner_pid = NULL,
        owner_id = NULL, fence = r.fence + 1, deaths = r.deaths + new_died,
        ended_at = new_ended_at, updated_at = new_now
    FROM held h
    WHERE r.run_id = new_run_id AND r.session_id = h.session_id AND r.fence = new_fence AND r.status = 'running'
      AND (new_lease_until IS NULL OR r.lease_until = new_lease_until)
    RETURNING r.*
  ), told AS (
    INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
    SELECT e.session_id, CAST(one->>'seq' AS bigint), e.run_id, one->>'key', one->>'type',
           CAST(one->>'frame' AS jsonb), new_now
    FROM ended e, jsonb_array_elements(new_events) one
  ), said AS (
    INSERT INTO chat_messages (session_id, role, content, structured_data, request_id, run_id, created_at)
    SELECT e.session_id, 'assistant', new_content, new_structured_data, e.request_id, e.run_id,
           new_now
    FROM ended e
    WHERE new_content IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM chat_messages WHERE run_id = new_run_id AND session_id = new_session_id AND role = 'assistant')
    RETURNING session_id
  ), counted AS (
    UPDATE chat_sessions c
    SET last_seq = coalesce(new_last_seq, c.last_seq),
        message_count = c.message_count + (SELECT count(*) FROM said),
        last_message = CASE WHEN EXISTS (SELECT 1 FROM said) THEN new_last_message ELSE c.last_message END,
        updated_at = CASE WHEN EXISTS (SELECT 1 FROM said) THEN new_now ELSE c.updated_at END
    FROM ended e WHERE c.session_id = e.session_id
  )
  SELECT {COLUMNS} INTO {COLUMNS} FROM ended;
  IF FOUND THEN
    -- A statement of its own: it sees what was queued while the one before waited for the session.
    more := EXISTS (SELECT 1 FROM runs o WHERE o.session_id = new_session_id AND o.status = 'queued');
    RETURN NEXT;
  END IF;
END
$$
"""

EXTEND_EVENTS = """
CREATE FUNCTION madang_extend_events(
  new_given jsonb, new_session_ids text[], new_run_ids text[]
) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  WITH given AS MATERIALIZED (
    SELECT g->>'session_id' AS session_id, g->>'run_id' AS run_id, CAST(g->>'fence' AS bigint) AS fence,
           CAST(g->>'after' AS bigint) AS after, CAST(g->>'last_seq' AS bigint) AS last_seq,
           CAST(g->>'now' AS timestamptz) AS created_at, g->'rows' AS rows
    FROM jsonb_array_elements(new_given) g
  ), held AS MATERIALIZED (
    SELECT s.session_id, s.last_seq FROM chat_sessions s WHERE s.session_id = ANY (new_session_ids)
    ORDER BY s.session_id FOR NO KEY UPDATE
  ), leased AS MATERIALIZED (
    SELECT r.run_id, r.session_id, r.fence FROM runs r
    WHERE r.session_id IN (SELECT session_id FROM held) AND r.run_id = ANY (new_run_ids)
      AND r.status = 'running'
    ORDER BY r.run_id FOR SHARE
  ), good AS MATERIALIZED (
    SELECT g.* FROM given g
    JOIN held h ON h.session_id = g.session_id AND h.last_seq = g.after
    JOIN leased l ON l.run_id = g.run_id AND l.session_id = g.session_id AND l.fence = g.fence
  ), added AS (
    INSERT INTO run_events (session_id, seq, run_id, key, type, frame, created_at)
    SELECT g.session_id, CAST(e->>'seq' AS bigint), g.run_id, e->>'key', e->>'type', e->'frame', g.created_at
    FROM good g, jsonb_array_elements(g.rows) e
  ), numbered AS (
    UPDATE chat_sessions s SET last_seq = g.last_seq FROM good g
    WHERE s.session_id = g.session_id AND s.session_id = ANY (new_session_ids)
  )
  SELECT session_id FROM good;
END
$$
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for template in (ADD_RUN, CLAIM_RUN, END_RUN, EXTEND_EVENTS):
            function = template
            for name, text in {"{RUN}": RUN, "{COLUMNS}": COLUMNS, "{SIGNATURE}": SIGNATURE}.items():
                function = function.replace(name, text)
            op.get_bind().exec_driver_sql(function)


def downgrade() -> None:
    raise NotImplementedError("a back-up copy is the way back")
