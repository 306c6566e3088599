// The plan of a turn: as it is made, as it runs, as it ran.

import { lazy } from "react";
import type { Step } from "../api/types";
import { duration, number, t } from "../i18n";
import type { Key } from "../i18n";
import { skipStep } from "../state/conversation";
import { stepTitle } from "../state/details";
import { isOpen, questionOf, worked } from "../state/turns";
import type { Log, Turn } from "../state/turns";

const RanPanel = lazy(() => import("../inspector/RanPanel"));
const MARKS: { [status: string]: string } = { pending: "○", in_progress: "◐", completed: "✓", failed: "✕", skipped: "–" };
const OVER = ["completed", "failed", "skipped"];

export const nameOfStep = (step: Step): string => (step.task ? stepTitle(step.task) : step.description || step.agent_name);

// Steps that may run at the same time: none of them waits for another of them.
export function groups(steps: Step[]): Step[][] {
  const depth = new Map<string, number>();
  const level = (step: Step, seen: string[]): number => {
    const known = depth.get(step.step_id);
    if (known !== undefined || seen.includes(step.step_id)) return known ?? 0;
    const before = (step.depends_on ?? []).map((id) => steps.find((one) => one.step_id === id)).filter((one): one is Step => one !== undefined);
    const found = before.length ? 1 + Math.max(...before.map((one) => level(one, [...seen, step.step_id]))) : 0;
    depth.set(step.step_id, found);
    return found;
  };
  const made: Step[][] = [];
  for (const step of steps) (made[level(step, [])] ??= []).push(step);
  return made.filter(Boolean);
}

export function summaryOf(log: Log): string {
  const current = log.turns.at(-1);
  if (current?.status === "interrupted") return t("waits_for_you");
  const now = log.turns.find((one) => one.status === "running") ?? (isOpen(current) ? current : undefined);
  if (!now) return "";
  if (!now.steps.length) return now.doing || t(now.runId ? "working" : "sending");
  const doing = now.steps.find((step) => step.status === "in_progress");
  const done = now.steps.filter((step) => OVER.includes(step.status)).length;
  return `${done}/${now.steps.length} · ${doing ? t("doing", { name: nameOfStep(doing) }) : t("wrapping_up")}`;
}

interface Given {
  log: Log;
  chosen: string | null;
  choose: (turn: string) => void;
  sessionId: string | null;
  assistant: string | null;
}

export function PlanPanel({ log, chosen, choose, sessionId, assistant }: Given) {
  const planned = log.turns.filter((one) => one.steps.length);
  const turn = planned.find((one) => one.id === chosen) ?? planned.at(-1);
  // While one of ours plans, its steps are about to come.
  const last = log.turns.at(-1);
  if (!turn && sessionId && assistant && last && !(isOpen(last) && last.doing)) return <RanPanel sessionId={sessionId} assistant={assistant} log={log} chosen={chosen} choose={choose} />;
  if (!turn) return <p className="meta empty">{t("plan_empty")}</p>;
  return (
    <>
      <PickTurn turns={planned} turn={turn} choose={choose} />
      <Steps turn={turn} />
      <Measures turn={turn} />
    </>
  );
}

export function PickTurn({ turns, turn, choose }: { turns: Turn[]; turn: Turn; choose: (turn: string) => void }) {
  if (turns.length < 2) return null;
  return (
    <label className="pick-turn">
      <select aria-label={t("plan")} value={turn.id} onChange={(event) => choose(event.target.value)}>
        {turns.map((one) => <option key={one.id} value={one.id}>{questionOf(one).slice(0, 60) || one.id.slice(0, 8)}</option>)}
      </select>
    </label>
  );
}

export function Steps({ turn }: { turn: Turn }) {
  const open = isOpen(turn);
  return (
    <ul className="steps">
      {groups(turn.steps).map((group, index) => (
        group.length === 1 && group[0] ? <StepRow key={index} step={group[0]} open={open} waits={turn.status === "interrupted"} /> : (
          <li key={index} className="group">
            <span className="together">{t("together")}</span>
            <ul>{group.map((step) => <StepRow key={step.step_id} step={step} open={open} waits={turn.status === "interrupted"} />)}</ul>
          </li>
        )
      ))}
    </ul>
  );
}

function StepRow({ step, open, waits }: { step: Step; open: boolean; waits: boolean }) {
  const name = nameOfStep(step);
  const progress = step.progress_percentage ?? 0;
  const asks = waits && step.status === "in_progress";
  const why = step.error === "cancelled" ? t("cancelled") : step.error || (step.reused ? t("reused") : asks ? t("waits_for_you") : "");
  return (
    <li className={`step ${step.status}${asks ? " asks" : ""}`}>
      <span className="mark" aria-hidden="true">{step.reused ? "↺" : asks ? "?" : MARKS[step.status]}</span>
      <span className="task">{name}<span className="hidden"> {t(step.status as Key)}</span></span>
      <span className="time">{(step.execution_time ?? 0) >= 0.05 ? duration(step.execution_time ?? 0) : ""}</span>
      {why && <span className="why">{why}</span>}
      {step.status === "in_progress" && open && <span className="bar"><i style={{ width: `${Math.max(progress, 4)}%` }} /></span>}
      {step.status === "pending" && open && <button type="button" className="quiet small skip" aria-label={t("skip_step", { name })} onClick={() => skipStep(step.step_id)}>{t("skip")}</button>}
    </li>
  );
}

export function Measures({ turn }: { turn: Turn }) {
  const open = isOpen(turn);
  const whole = turn.endedAt ? worked(turn) : null;
  const usage = turn.usage;
  return (
    <div className="measures meta">
      {turn.reused && <p>↺ {turn.reused}</p>}
      {open && (turn.estimate ?? 0) >= 0.5 && <p>{t("estimate", { time: duration(turn.estimate ?? 0) })}</p>}
      {!open && whole !== null && whole >= 0.05 && <p>{t("took_all", { time: duration(whole) })}{usage?.tokens ? ` · ${number(usage.tokens)} tokens` : ""}{usage?.cost ? ` · $${usage.cost.toFixed(4)}` : ""}</p>}
    </div>
  );
}
