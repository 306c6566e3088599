// The first page: who there is to ask, with questions to begin with.

import { useEffect, useRef } from "react";
import { t } from "../i18n";
import { begin } from "../state/conversation";
import { go, routing } from "../state/route";
import { sessions } from "../state/sessions";
import { useStore } from "../state/store";
import { Chips } from "../ui/Chips";
import { Mark } from "../ui/Mark";
import { NoModel } from "./Model";

// A second click comes when the first has led to a session already.
export function beginOnce(assistant: string, text: string): void {
  if (routing.get().route.page !== "session") begin(assistant, text);
}

export function Welcome({ question, take }: { question: string; take: () => string }) {
  const { assistants, ready, unreachable } = useStore(sessions, (now) => now);
  const cards = useRef<HTMLDivElement>(null);
  // A question without an assistant: Enter gives it to the first, arrows lead to the others.
  useEffect(() => {
    if (question) cards.current?.querySelector<HTMLElement>(".pick")?.focus();
  }, [question]);
  const walk = (event: React.KeyboardEvent): void => {
    const step = ["ArrowRight", "ArrowDown"].includes(event.key) ? 1 : ["ArrowLeft", "ArrowUp"].includes(event.key) ? -1 : 0;
    const picks = [...(cards.current?.querySelectorAll<HTMLElement>(".pick") ?? [])];
    const at = picks.indexOf(document.activeElement as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    picks[Math.max(0, Math.min(picks.length - 1, at + step))]?.focus();
  };
  if (!ready) return <p className="notice welcome">{unreachable ? t("server_unreachable") : t("loading")}</p>;
  const pick = (name: string): void => {
    const text = question && take();
    if (text) beginOnce(name, text);
    else go(`#/new/${encodeURIComponent(name)}`);
  };
  return (
    <section className="welcome wide">
      <h2>{question ? t("whose_question") : t("who_to_ask")}</h2>
      <p>{question ? `“${question.slice(0, 80)}”` : assistants.length ? t("choose_or_ask") : t("no_assistants")}</p>
      <div ref={cards} className="choices" onKeyDown={walk}>
        {assistants.map((one) => (
          <div key={one.name} className="card">
            <button type="button" className="pick" onClick={() => pick(one.name)}>
              <Mark name={one.name} size={34} />
              <strong>{one.title || one.name}</strong>
              <span>{one.description || one.greeting || t("not_described")}</span>
            </button>
            {one.examples.length > 0 && <ul>{one.examples.slice(0, 2).map((text) => <li key={text}><button type="button" className="example" onClick={() => beginOnce(one.name, text)}>{text}</button></li>)}</ul>}
          </div>
        ))}
      </div>
      <NoModel />
    </section>
  );
}

export function Greeting({ name }: { name: string | null }) {
  const assistant = useStore(sessions, (now) => now.assistants.find((one) => one.name === name));
  const id = useStore(routing, (now) => now.route.page);
  if (!assistant) return null;
  return (
    <section className="welcome">
      <Mark name={assistant.name} size={44} />
      <h2>{assistant.title || assistant.name}</h2>
      <p>{assistant.greeting || assistant.description || t("ask_anything")}</p>
      {id === "new" && <Chips choices={assistant.examples.slice(0, 6)} pick={(text) => beginOnce(assistant.name, String(text))} />}
    </section>
  );
}
