// What can be done with an answer: copy, regenerate, rate; its branches walked in place.

import { useId, useRef, useState } from "react";
import { call, sessionPath } from "../api/client";
import { newId } from "../api/key";
import { duration, number, t } from "../i18n";
import { conversation, rated, reload } from "../state/conversation";
import { flash } from "../state/toast";
import { worked } from "../state/turns";
import type { Turn } from "../state/turns";
import { copyText } from "../ui/files";
import { Icon } from "../ui/Icon";

export function Actions({ turn, last, sessionId }: { turn: Turn; last: boolean; sessionId: string }) {
  if (!turn.text && !turn.branches.length) return null;
  return (
    <div className="actions">
      <Branches turn={turn} />
      {turn.text && <button type="button" className="icon-button" aria-label={t("copy_answer")} title={t("copy_answer")} onClick={() => void copyText(turn.text)}><Icon name="copy" size={16} /></button>}
      {last && turn.said.length > 0 && <button type="button" className="icon-button" aria-label={t("regenerate")} title={t("regenerate")} onClick={() => void regenerate(sessionId)}><Icon name="again" size={16} /></button>}
      {turn.answerId !== null && <Rate turn={turn} sessionId={sessionId} />}
      <span className="meta">{measured(turn)}</span>
    </div>
  );
}

function measured(turn: Turn): string {
  const whole = worked(turn);
  const { tokens, cost } = turn.usage ?? {};
  return [whole >= 0.05 ? duration(whole) : "", tokens ? `${number(tokens)} ${t("tokens")}` : "", cost ? `$${cost.toFixed(4)}` : ""].filter(Boolean).join(" · ");
}

function Branches({ turn }: { turn: Turn }) {
  const all = turn.branches;
  const at = all.indexOf(turn.runId ?? "");
  if (all.length < 2 || at < 0) return null;
  const walk = (step: number): void => {
    const { id } = conversation.get();
    const to = all[at + step];
    if (id && to) void reload(id, to);
  };
  return (
    <span className="branches" role="group" aria-label={t("branches")}>
      <button type="button" className="icon-button" aria-label={t("branch_before")} disabled={at === 0} onClick={() => walk(-1)}><Icon name="left" size={14} /></button>
      <span>{at + 1}/{all.length}</span>
      <button type="button" className="icon-button" aria-label={t("branch_after")} disabled={at === all.length - 1} onClick={() => walk(1)}><Icon name="right" size={14} /></button>
    </span>
  );
}

async function regenerate(sessionId: string): Promise<void> {
  try {
    await call(sessionPath(sessionId, "/regenerate"), { method: "POST", body: { request_id: newId() } });
    await reload(sessionId);
  } catch (error) {
    flash((error as Error).message);
  }
}

function Rate({ turn, sessionId }: { turn: Turn; sessionId: string }) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [reason, setReason] = useState(turn.feedback?.reason ?? "");
  const rating = turn.feedback?.rating ?? null;
  const give = async (wanted: string | null, why: string | null): Promise<void> => {
    try {
      await call(sessionPath(sessionId, `/messages/${turn.answerId}/feedback`), { method: "PUT", body: { rating: wanted, ...(why ? { reason: why } : {}) } });
      rated(turn.id, wanted, why);
    } catch (error) {
      flash((error as Error).message);
    }
  };
  const down = (): void => {
    void give(rating === "down" ? null : "down", null);
    if (rating !== "down") place.current?.showPopover();
  };
  return (
    <>
      <button type="button" className="icon-button" aria-label={t("good")} title={t("good")} aria-pressed={rating === "up"} onClick={() => void give(rating === "up" ? null : "up", null)}><Icon name="good" size={16} /></button>
      <button type="button" className="icon-button" aria-label={t("poor")} title={t("poor")} aria-pressed={rating === "down"} onClick={down}><Icon name="poor" size={16} /></button>
      <div ref={place} id={id} popover="auto" className="menu reason">
        <form onSubmit={(event) => { event.preventDefault(); void give("down", reason.trim() || null); place.current?.hidePopover(); }}>
          <label htmlFor={`${id}r`}>{t("why_poor")}</label>
          <textarea id={`${id}r`} rows={3} maxLength={2000} value={reason} onChange={(event) => setReason(event.target.value)} />
          <div className="buttons"><button type="submit" className="filled small">{t("save")}</button></div>
        </form>
      </div>
    </>
  );
}
