// What a change would make run again, and what would be kept: shown before it is done.

import type { Step } from "../api/types";
import { seconds, t } from "../i18n";

export function Redone({ steps }: { steps: Step[] | null }) {
  if (!steps) return null;
  const kept = steps.filter((one) => one.reused || one.status === "skipped");
  const again = steps.filter((one) => !kept.includes(one));
  const whole = again.reduce((sum, one) => sum + (one.estimated_time ?? 0), 0);
  return (
    <div className="redone" aria-live="polite">
      <p className="meta">{again.length ? t("would_run", { count: again.length }) : t("would_run_none")}{whole >= 0.1 ? ` · ${t("estimate", { seconds: seconds(whole) })}` : ""}</p>
      <ul>
        {again.map((one) => <li key={one.step_id}><span aria-hidden="true">→ </span>{one.task ?? one.agent_name}</li>)}
        {kept.map((one) => <li key={one.step_id} className="kept"><span aria-hidden="true">↺ </span>{one.task ?? one.agent_name}<span className="label">{t("kept")}</span></li>)}
      </ul>
    </div>
  );
}
