// The page: conversations, the talk, the panel beside it.

import { Suspense, lazy, useCallback, useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../i18n";
import { begin, cancel, close, conversation, hurry, open, say } from "../state/conversation";
import { useStepTitles } from "../state/details";
import { attached, sessionFor, takeFiles } from "../state/files";
import { outbox } from "../state/outbox";
import { go, routing, sessionAddress, useRoute } from "../state/route";
import type { Route } from "../state/route";
import { introduce, nameOf, plainText, sessions } from "../state/sessions";
import { useStore } from "../state/store";
import { flash, toast } from "../state/toast";
import { isBusy, lastSaid, questionOf, waitingTurn } from "../state/turns";
import type { Turn } from "../state/turns";
import { Icon } from "../ui/Icon";
import { isTyping } from "../ui/keys";
import { Actions } from "./Actions";
import { AttachButton, AttachedFiles } from "./Attach";
import { Composer } from "./Composer";
import { Palette } from "./Palette";
import { Panel } from "./Panel";
import { summaryOf } from "./PlanPanel";
import { Rename, Sidebar } from "./Sidebar";
import { SignIn } from "./SignIn";
import { Thread } from "./Thread";
import { Greeting, Welcome } from "./Welcome";

const Settings = lazy(() => import("./Settings"));
const Compare = lazy(() => import("./Compare"));
const Share = lazy(() => import("./Share"));
const SharedView = lazy(() => import("./SharedView"));

const INSIDE = ["state", "history", "graph", "events"];

export function App() {
  const route = useRoute();
  const now = useStore(conversation, (one) => one);
  const ready = useStore(sessions, (one) => one.ready);
  const [side, setSide] = useState<"sessions" | "plan" | null>(null);
  const [unassigned, setUnassigned] = useState("");
  const [finding, setFinding] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  const spoken = useLanguage();
  useStepTitles(now.session?.assistant ?? null);
  useEffect(() => void introduce(), [spoken]);

  useEffect(() => {
    if (route.page === "session" && route.id) void open(route.id);
    else if (now.id) close();
  }, [route.page, route.id]);
  useEffect(() => {
    if (route.page !== "welcome") setUnassigned("");
  }, [route.page]);
  // What slid in belongs to the page it slid in on.
  useEffect(() => {
    if (!route.view) setSide(null);
  }, [route.page, route.id]);
  // A source or a field that is opened is in the panel: on a phone it slides in.
  useEffect(() => {
    const slides = matchMedia("(max-width: 1023px)").matches;
    // Going back from there closes it, even if the window has become wide meanwhile.
    setSide((now) => (route.view ? (slides ? "plan" : now) : now === "plan" ? null : now));
  }, [route.view, route.query]);

  const show = (which: "sessions" | "plan"): void => {
    opener.current = document.activeElement as HTMLElement | null;
    setSide(which);
  };
  const dismiss = (): void => {
    setSide(null);
    opener.current?.focus();
    opener.current = null;
  };
  useEffect(() => shortcuts(() => side && dismiss(), () => setFinding(true)), [side]);

  return (
    <div className={`app${route.page === "session" || route.page === "new" ? (INSIDE.includes(route.view ?? "") ? " inside" : "") : " solo"}`}>
      <Sidebar open={side === "sessions"} dismiss={dismiss} />
      <main id="main">
        <Header route={route} openSessions={() => show("sessions")} openPanel={() => show("plan")} side={side} />
        <Lines />
        <Suspense fallback={<div id="conversation"><p className="notice">{t("loading")}</p></div>}>
          {route.page === "settings" ? <Settings /> : route.page === "shared" && route.id ? <SharedView id={route.id} /> : route.page === "compare" && route.id && route.other ? <Compare ids={[route.id, route.other]} /> : (
            <Body route={route} unassigned={unassigned} setUnassigned={setUnassigned} ready={ready} />
          )}
        </Suspense>
      </main>
      {(route.page === "session" || route.page === "new") && <Panel route={route} conversation={now} open={side === "plan"} dismiss={dismiss} />}
      {side && <div className="shade" onClick={dismiss} />}
      {/* Not loaded later: what is typed after the key is meant for it. */}
      {finding && <Palette close={() => setFinding(false)} />}
      <SignIn />
    </div>
  );
}

function shortcuts(escape: () => void, find: () => void): () => void {
  const heard = (event: KeyboardEvent): void => {
    if (event.key === "Escape") escape();
    if (event.key === "k" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      find();
    }
    const { route } = routing.get();
    if (event.key === "i" && !isTyping(event.target) && !event.metaKey && !event.ctrlKey && !event.altKey && route.page === "session" && route.id) {
      event.preventDefault();
      const inside = INSIDE.includes(route.view ?? "");
      go(sessionAddress(route.id, inside ? null : "state"));
    }
    if (event.key === "/" && !isTyping(event.target)) {
      event.preventDefault();
      document.getElementById("question")?.focus();
    }
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

function Header({ route, openSessions, openPanel, side }: { route: Route; openSessions: () => void; openPanel: () => void; side: string | null }) {
  const session = useStore(conversation, (now) => now.session);
  const first = useStore(conversation, (now) => (now.log.turns[0] && !now.log.before ? questionOf(now.log.turns[0]) : ""));
  const listed = useStore(sessions, (now) => now.items.find((one) => one.session_id === route.id));
  const assistant = useStore(sessions, (now) => now.assistants.find((one) => one.name === (session?.assistant ?? route.id)));
  const [renaming, setRenaming] = useState(false);
  const [sharing, setSharing] = useState(false);
  const named = session?.title ?? listed?.title;
  const title = route.page === "session" ? named || plainText(first).slice(0, 60) || (session && nameOf(session)) || t("app") : route.page === "new" ? assistant?.title || t("app") : route.page === "settings" ? t("settings") : route.page === "compare" ? t("compare") : t("app");
  useEffect(() => {
    document.title = route.page === "session" ? `${title} · ${t("app")}` : t("app");
  }, [title, route.page]);
  return (
    <header>
      <button type="button" className="icon-button phone" aria-label={t("open_sessions")} aria-expanded={side === "sessions"} onClick={openSessions}><Icon name="menu" /></button>
      {renaming && session ? <Rename session={{ ...session, title }} done={() => setRenaming(false)} /> : <h1>{title}</h1>}
      {session && !renaming && <button type="button" className="icon-button" aria-label={t("rename")} title={t("rename")} onClick={() => setRenaming(true)}><Icon name="edit" size={16} /></button>}
      <span className="spring" />
      {session && <button type="button" className="icon-button" aria-label={t("share")} title={t("share")} onClick={() => setSharing(true)}><Icon name="share" size={17} /></button>}
      <Suspense fallback={null}>{sharing && session && <Share session={session} close={() => setSharing(false)} />}</Suspense>
      {(route.page === "session" || route.page === "new") && <button type="button" className="icon-button phone" aria-label={t("open_panel")} aria-expanded={side === "plan"} onClick={openPanel}><Icon name="panel" /></button>}
    </header>
  );
}

// Thin lines at the top: a lost connection (after a moment), and what passes.
function Lines() {
  const lost = useStore(conversation, (now) => now.lostSince);
  const failing = useStore(outbox, (now) => now.failing);
  const { text, action } = useStore(toast, (now) => now);
  const [late, setLate] = useState(false);
  const broken = lost !== null || failing;
  useEffect(() => {
    setLate(false);
    if (!broken) return;
    const timer = setTimeout(() => setLate(true), 3000);
    return () => clearTimeout(timer);
  }, [broken]);
  return (
    <>
      {broken && late && <p id="connection" role="status">{t("connection_lost")}</p>}
      {text && <p id="line" role="status">{text}{action && <button type="button" className="link" onClick={action.run}>{action.label}</button>}</p>}
    </>
  );
}

interface BodyGiven {
  route: Route;
  ready: boolean;
  unassigned: string;
  setUnassigned: (text: string) => void;
}

function Body({ route, ready, unassigned, setUnassigned }: BodyGiven) {
  const now = useStore(conversation, (one) => one);
  const assistants = useStore(sessions, (one) => one.assistants);
  const [eager, setEager] = useState(false);
  const place = route.page === "session" ? (route.id ?? "") : route.page === "new" ? `new:${route.id}` : "welcome";
  const submit = (text: string): boolean => {
    if (route.page === "session" && route.id) say(route.id, text || t("see_file"), { files: takeFiles(route.id) });
    else if (route.page === "new" && route.id) begin(route.id, text);
    else if (!ready) {
      setEager(true);
      return false;
    } else if (assistants.length === 1 && assistants[0]) begin(assistants[0].name, text);
    else {
      setUnassigned(text);
      return false;
    }
    return true;
  };
  // A question asked before anything had loaded is asked now, unless it was changed meanwhile.
  useEffect(() => {
    if (!ready || !eager) return;
    setEager(false);
    const draft = localStorage.getItem(`draft:${place}`)?.trim();
    if (draft && submit(draft)) clearDraft(place);
  }, [ready, eager]);
  const inSession = route.page === "session";
  const actions = useCallback((turn: Turn, last: boolean) => <Actions turn={turn} last={last} sessionId={now.id ?? ""} />, [now.id]);
  const busy = inSession && isBusy(now.log);
  const summary = inSession ? summaryOf(now.log) : "";
  const ended = now.log.turns.at(-1);
  const files = useStore(attached, (one) => one.of[route.id ?? ""]?.length ?? 0);
  // A file needs a session to be read in; what was typed goes along.
  const sessionHere = async (): Promise<string | null> => {
    if (route.page === "session") return route.id;
    try {
      const id = await sessionFor(route.id ?? "");
      const draft = localStorage.getItem(`draft:${place}`);
      if (draft) localStorage.setItem(`draft:${id}`, draft);
      localStorage.removeItem(`draft:${place}`);
      go(sessionAddress(id));
      return id;
    } catch (error) {
      flash((error as Error).message);
      return null;
    }
  };
  return (
    <>
      {inSession ? (
        now.phase === "failed" ? <Failed why={now.why} id={route.id ?? ""} /> : now.log.turns.length ? <Thread key={now.id} log={now.log} sessionId={now.id ?? ""} actions={actions} /> : (
          <div id="conversation">{now.phase === "loading" ? <p className="notice">{t("loading")}</p> : <Greeting name={now.session?.assistant ?? null} />}</div>
        )
      ) : (
        <div id="conversation">{route.page === "new" ? <Greeting name={route.id} /> : <Welcome question={unassigned} take={() => { clearDraft(place); return unassigned; }} />}</div>
      )}
      {/* Without steps it repeats what the turn says: for listeners only. */}
      <p id="summary" className={busy && !summary.includes("/") ? "still" : ""} aria-live="polite">{summary}</p>
      <p className="hidden" role="status" aria-live="polite">{ended && !busy && now.live ? plainText(ended.text).slice(0, 300) : ""}</p>
      <Composer place={place} mayBeEmpty={files > 0}
        tools={(inSession || route.page === "new") && <AttachButton session={sessionHere} />} busy={busy} stopping={now.cancelling && now.live} lastSaid={ended ? lastSaid(ended) : ""} submit={submit} stop={cancel}
        changed={() => { setEager(false); setUnassigned(""); }} placeholder={inSession && waitingTurn(now.log) ? t("answer_or_ask") : t("ask_anything")}>
        {inSession && route.id && <AttachedFiles sessionId={route.id} />}
      </Composer>
    </>
  );
}

function clearDraft(place: string): void {
  localStorage.removeItem(`draft:${place}`);
  dispatchEvent(new CustomEvent("madang:taken"));
}

function Failed({ why, id }: { why: string; id: string }) {
  return (
    <div id="conversation">
      <p className="notice bad" role="alert">{why}</p>
      <button type="button" className="outlined" onClick={() => void open(id)}>{t("open_again")}</button>
    </div>
  );
}

addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => !document.hidden && hurry());
