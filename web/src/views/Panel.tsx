// Beside the conversation: what was understood, the plan, and the inside.

import { Suspense, lazy, useRef } from "react";
import { t } from "../i18n";
import type { Key } from "../i18n";
import type { Conversation } from "../state/conversation";
import { useHasForm } from "../state/details";
import { go, sessionAddress } from "../state/route";
import type { Route } from "../state/route";
import { Icon } from "../ui/Icon";
import { PlanPanel } from "./PlanPanel";
import { SourcePanel } from "./SourcePanel";

const Understood = lazy(() => import("../understood/Understood"));
const StateView = lazy(() => import("../inspector/StateView"));
const HistoryView = lazy(() => import("../inspector/HistoryView"));
const EventsView = lazy(() => import("../inspector/EventsView"));
const GraphView = lazy(() => import("../inspector/GraphView"));
const TABS: Key[] = ["understood", "plan", "state", "history", "graph", "events"];
const OF_NEW: Key[] = ["understood", "plan"];

export function Panel({ route, conversation, open, dismiss }: { route: Route; conversation: Conversation; open: boolean; dismiss: () => void }) {
  // Before anything was said there is no plan; what can be told is an invitation.
  const invites = useHasForm(route.page === "new" ? route.id : null);
  const view = route.view ?? (route.page === "new" && invites !== false ? "understood" : "plan");
  const place = useRef<HTMLElement>(null);
  const id = conversation.id;
  const address = (to: string): string => (id ? sessionAddress(id, to) : `#/new/${encodeURIComponent(route.id ?? "")}/${to}`);
  const fresh = conversation.log.turns.at(-1)?.endedAt ?? "";
  const assistant = route.page === "new" ? route.id : conversation.session?.assistant;
  return (
    <aside id="plan" ref={place} className={`side right${open ? " open" : ""}`} aria-label={t("plan")}>
      <Grip place={place} />
      <div className="tabs">
        <div className="tablist" role="tablist" aria-label={t("plan")}>
        {(id ? TABS : OF_NEW).filter((name) => name !== "understood" || invites !== false).map((name) => (
          <a key={name} role="tab" href={address(name)} aria-selected={view === name} className={view === name ? "tab on" : "tab"}>{t(name)}</a>
        ))}
        </div>
        <button type="button" className="icon-button phone" aria-label={t("close_panel")} onClick={dismiss}><Icon name="close" /></button>
      </div>
      <div id="plan-body" role="tabpanel">
        <Suspense fallback={<p className="meta">{t("loading")}</p>}>
          {view === "understood" && id && ["loading", "new"].includes(conversation.phase) ? (
            <p className="meta">{t("loading")}</p>
          ) : view === "understood" && assistant ? (
            <Understood key={id} assistant={assistant} sessionId={conversation.phase === "open" ? id : null} field={route.query.get("field")} whole={route.query.has("all")} />
          ) : view === "state" && id ? (
            <StateView key={id} sessionId={id} assistant={assistant ?? null} at={route.query.get("at")} path={route.query.get("path")} fresh={fresh} />
          ) : view === "history" && id ? (
            <HistoryView key={id} sessionId={id} assistant={assistant ?? null} log={conversation.log} from={route.query.get("from")} to={route.query.get("to")} fresh={fresh} />
          ) : view === "graph" && id ? (
            <GraphView sessionId={id} log={conversation.log} chosen={route.query.get("turn")} choose={(turn) => go(sessionAddress(id, "graph", { turn }))} assistant={assistant ?? null} />
          ) : view === "events" && id ? (
            <EventsView key={id} sessionId={id} last={conversation.log.last} chosen={route.query.get("seq")} />
          ) : view === "source" && id ? (
            <SourcePanel sessionId={id} log={conversation.log} turn={route.query.get("turn") ?? ""} name={route.query.get("name") ?? ""} />
          ) : (
            <PlanPanel sessionId={id} assistant={assistant ?? null} log={conversation.log} chosen={route.query.get("turn")} choose={(turn) => id && go(sessionAddress(id, "plan", { turn }))} />
          )}
        </Suspense>
      </div>
    </aside>
  );
}

// The panel is as wide as one likes, by pointer or arrow keys; remembered.
function Grip({ place }: { place: React.RefObject<HTMLElement | null> }) {
  const set = (width: number): void => {
    const kept = Math.round(Math.min(Math.max(width, 280), Math.max(280, innerWidth - 640)));
    document.documentElement.style.setProperty("--panel", `${kept}px`);
    localStorage.setItem("panel", String(kept));
  };
  return (
    <div className="grip" role="separator" aria-orientation="vertical" aria-label={t("plan")} tabIndex={0}
      aria-valuenow={Number(localStorage.getItem("panel")) || 384} aria-valuemin={280} aria-valuemax={1200}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && set(innerWidth - event.clientX)}
      onKeyDown={(event) => {
        const step = event.key === "ArrowLeft" ? 24 : event.key === "ArrowRight" ? -24 : 0;
        if (step) set((place.current?.clientWidth ?? 384) + step);
      }} />
  );
}
