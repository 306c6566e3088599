// What a change would make run again, and what would be kept: shown before it is done.

import { duration, t } from "../i18n";

export interface StepPreview {
  step_id: string;
  agent: string;
  task: string;
  estimated_time: number | null;
  reason: string;
}

export interface Preview {
  steps: StepPreview[];
  kept: StepPreview[];
  estimated_cost: number | null;
}

export function Redone({ preview }: { preview: Preview | null }) {
  if (!preview) return null;
  const { steps, kept, estimated_cost: cost } = preview;
  const whole = steps.reduce((sum, one) => sum + (one.estimated_time ?? 0), 0);
  return (
    <div className="redone" aria-live="polite">
      <p className="meta">{steps.length ? t("would_run", { count: steps.length }) : t("would_run_none")}{whole >= 0.05 ? ` · ${t("estimate", { time: duration(whole) })}` : ""}{cost ? ` · ${t("estimated_cost", { cost: cost.toFixed(4) })}` : ""}</p>
      <ul>
        {steps.map((one) => <li key={one.step_id} title={one.reason}><span aria-hidden="true">→ </span>{one.task || one.agent}{(one.estimated_time ?? 0) >= 0.05 ? <span className="meta"> {duration(one.estimated_time ?? 0)}</span> : null}</li>)}
        {kept.map((one) => <li key={one.step_id} className="kept" title={one.reason}><span aria-hidden="true">↺ </span>{one.task || one.agent}<span className="label">{t("kept")}</span></li>)}
      </ul>
    </div>
  );
}
