// One turn: what was said and asked, the answer, what came with it, what went wrong.

import { memo, useCallback, useMemo } from "react";
import type { ReactNode } from "react";
import { Markdown } from "../answer/Markdown";
import { citing } from "../answer/citing";
import { t } from "../i18n";
import { conversation, resend, say } from "../state/conversation";
import { go, sessionAddress } from "../state/route";
import { isOpen, lastSaid } from "../state/turns";
import type { Turn } from "../state/turns";
import { AskCard, questionText } from "./AskCard";
import { Extras } from "./Extras";
import { Further } from "./Further";
import { UserMessage } from "./UserMessage";

interface Given {
  turn: Turn;
  last: boolean;
  behind: boolean;
  sessionId: string;
  actions?: ((turn: Turn, last: boolean) => ReactNode) | undefined;
}

export const TurnView = memo(function TurnView({ turn, last, behind, sessionId, actions }: Given) {
  const openSource = useCallback((name: string) => go(sessionAddress(sessionId, "source", { turn: turn.id, name })), [sessionId, turn.id]);
  const openField = useCallback((field: string) => go(sessionAddress(sessionId, "understood", { field })), [sessionId]);
  const cite = useMemo(() => citing(turn.data, openSource), [turn.data, openSource]);
  const open = isOpen(turn);
  return (
    <article className="turn" data-turn={turn.id}>
      {turn.said.map((part, index) =>
        part.by === "user" ? (
          <UserMessage key={index} text={part.text} files={part.files} reading={turn.reading} data={turn.data} openField={openField} ended={last && !open && Boolean(actions)}
            resend={part.messageId !== null && index === 0 && sessionId && !open ? (text) => resend(sessionId, turn.id, part.messageId ?? 0, text) : undefined} />
        ) : turn.interrupts.some((one) => one.interrupt_id === part.asked.interrupt_id) ? null : (
          <div key={index} className="before"><Markdown text={questionText(part.asked)} /></div>
        ),
      )}
      {turn.said.length === 0 && <p className="notice by-form">{t("by_form")}</p>}
      {(turn.text || (turn.data && !open)) && (
        <div className={`answer${turn.status === "running" && turn.text ? " streaming" : ""}`}>
          <Markdown text={turn.text} {...(cite ? { cite } : {})} />
          {!open && <Extras turn={turn} openSource={openSource} />}
          {!open && last && <Further turn={turn} sessionId={sessionId} />}
        </div>
      )}
      <Notes turn={turn} last={last} behind={behind} />
      {turn.interrupts.map((asked) => <AskCard key={asked.interrupt_id} turn={turn.id} asked={asked} />)}
      {!open && actions?.(turn, last)}
    </article>
  );
});

function Notes({ turn, last, behind }: { turn: Turn; last: boolean; behind: boolean }) {
  const open = isOpen(turn);
  const waits = turn.status === "sending" || turn.status === "queued";
  const doing = waits && behind ? t("after_this") : open && !turn.text ? turn.doing || t(turn.runId ? "working" : "sending") : "";
  const silent = !turn.text && !turn.note && !turn.interrupts.length;
  const left = silent && turn.status === "failed" ? t("failed_turn") : silent && turn.status === "cancelled" ? t("cancelled_turn") : "";
  return (
    <>
      {doing && <p className="notice doing">{doing}</p>}
      {(turn.note || left) && <p className={`notice${turn.bad ? " bad" : ""}`}>{turn.note || left}</p>}
      {turn.status === "failed" && last && lastSaid(turn) && <p><button type="button" className="outlined" onClick={() => again(turn)}>{t("ask_again")}</button></p>}
    </>
  );
}

function again(turn: Turn): void {
  const { id, log } = conversation.get();
  if (id && log.turns.at(-1)?.id === turn.id) say(id, lastSaid(turn));
}
