// A conversation that someone shared: read-only, without who they are.

import { useMemo } from "react";
import { t } from "../i18n";
import { useAsked } from "../inspector/useAsked";
import { windowOf } from "../state/window";
import type { ConversationShown } from "../state/window";
import { TurnView } from "./TurnView";

export default function SharedView({ id }: { id: string }) {
  const { value, why, loading } = useAsked<ConversationShown>(`/shares/${encodeURIComponent(id)}`);
  const found = useMemo(() => (value ? windowOf({ ...value, pending: value.pending ?? [], last_seq: value.last_seq ?? 0, has_more: value.has_more ?? false }) : null), [value]);
  if (!found) return <div id="conversation"><p className={why ? "notice bad" : "notice"} role={why ? "alert" : "status"}>{why ? t("share_gone") : loading ? t("loading") : ""}</p></div>;
  return (
    <div id="conversation" className="shared">
      <div className="turns flat">
        <h2>{found.session.title ?? t("conversation")}</h2>
        <p className="meta">{t("share_note")}</p>
        {found.log.turns.map((turn) => <TurnView key={turn.id} turn={{ ...turn, interrupts: [] }} last={false} behind={false} sessionId="" />)}
      </div>
    </div>
  );
}
