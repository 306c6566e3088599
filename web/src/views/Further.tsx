// Where an answer leaves one: what may be meant, one tap each, and the form for those who would rather choose.

import { t } from "../i18n";
import { conversation, say } from "../state/conversation";
import { useHasForm } from "../state/details";
import { go, sessionAddress } from "../state/route";
import { useStore } from "../state/store";
import type { Turn } from "../state/turns";
import { labelOf, valueOf } from "../ui/Chips";
import { Icon } from "../ui/Icon";

const ASKS_BACK = ["clarification", "guidance"];

export function Further({ turn, sessionId }: { turn: Turn; sessionId: string }) {
  const given = turn.data?.["choices"];
  const choices: unknown[] = Array.isArray(given) ? given : [];
  const assistant = useStore(conversation, (now) => now.session?.assistant ?? null);
  const form = useHasForm(ASKS_BACK.includes(turn.responseType) || turn.reading?.left?.length ? assistant : null);
  if (!choices.length && !form) return null;
  return (
    <div className="chips further">
      {choices.map((choice, index) => <button key={index} type="button" className="chip" onClick={() => pick(turn, valueOf(choice))}>{labelOf(choice)}</button>)}
      {form && sessionId && <button type="button" className="chip by-hand" onClick={() => go(sessionAddress(sessionId, "understood", { all: "1" }))}><Icon name="edit" size={14} />{t("choose_in_form")}</button>}
    </div>
  );
}

// A choice belongs to the last answer only: a second click finds another one there.
function pick(turn: Turn, value: unknown): void {
  const { id, log } = conversation.get();
  if (id && log.turns.at(-1)?.id === turn.id) say(id, String(value));
}
