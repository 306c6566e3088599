-- name: add
INSERT INTO crons (cron_id, owner, user_id, company_id, session_id, assistant_id, schedule, timezone, end_time, enabled,
                   on_run_completed, payload, metadata, next_run_at, created_at, updated_at)
VALUES (:cron_id, :owner, :user_id, :company_id, :session_id, :assistant_id, :schedule, :timezone, :end_time, :enabled,
        :on_run_completed, :payload, :metadata, :next_run_at, :now, :now)

-- name: of_owner
SELECT * FROM crons WHERE owner = :owner ORDER BY created_at, cron_id

-- name: get
SELECT * FROM crons WHERE owner = :owner AND cron_id = :cron_id

-- name: change
UPDATE crons SET schedule = :schedule, timezone = :timezone, end_time = :end_time, enabled = :enabled,
                 on_run_completed = :on_run_completed, payload = :payload, metadata = :metadata,
                 next_run_at = :next_run_at, updated_at = :now
WHERE owner = :owner AND cron_id = :cron_id RETURNING cron_id

-- name: remove
DELETE FROM crons WHERE owner = :owner AND cron_id = :cron_id RETURNING cron_id

-- name: due
SELECT c.* FROM crons c LEFT JOIN users u ON u.id = c.user_id
WHERE c.enabled = 1 AND c.next_run_at <= :now AND (c.user_id IS NULL OR u.revoked_at IS NULL)
ORDER BY c.next_run_at LIMIT 100

-- name: take
UPDATE crons SET next_run_at = :next_run_at WHERE cron_id = :cron_id AND next_run_at = :seen AND enabled = 1
RETURNING cron_id
