// A whole conversation as a file: every turn, asked for window by window.

import { call, sessionPath } from "../api/client";
import type { Session } from "../api/types";
import { dateTime, t } from "../i18n";
import { flash } from "../state/toast";
import type { ConversationShown, TurnShown } from "../state/window";
import { saveText } from "../ui/files";

async function allTurns(id: string): Promise<TurnShown[]> {
  let turns: TurnShown[] = [];
  for (let before = ""; ; ) {
    const page = await call<ConversationShown>(sessionPath(id, `/conversation?limit=200${before ? `&before=${encodeURIComponent(before)}` : ""}`));
    turns = [...page.turns, ...turns];
    const first = page.turns[0];
    before = first?.run_id ?? String(first?.messages[0]?.message_id ?? "");
    if (!page.has_more || !before) return turns;
  }
}

export async function saveMarkdown(session: Session, name: string): Promise<void> {
  try {
    const turns = await allTurns(session.session_id);
    const said = turns.flatMap((turn) => turn.messages.map((one) => (one.role === "user" ? `## ${t("you")}\n\n${one.content}` : one.content)));
    saveText(`# ${name}\n\n${dateTime(session.created_at)}\n\n${said.join("\n\n")}\n`, `${name}.md`, "text/markdown");
  } catch (error) {
    flash((error as Error).message);
  }
}

export async function saveJson(session: Session, name: string): Promise<void> {
  try {
    saveText(JSON.stringify({ session, turns: await allTurns(session.session_id) }, null, 2), `${name}.json`, "application/json");
  } catch (error) {
    flash((error as Error).message);
  }
}
