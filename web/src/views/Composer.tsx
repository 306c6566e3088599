// Where one types. What is typed is kept for its conversation, over reloads too; cancel is where send was.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../i18n";
import { Icon } from "../ui/Icon";
import { isSend } from "../ui/keys";

interface Given {
  place: string;
  busy: boolean;
  stopping: boolean;
  placeholder: string;
  lastSaid: string;
  submit: (text: string) => boolean;
  changed?: () => void;
  stop: () => void;
  children?: React.ReactNode;
  tools?: React.ReactNode;
  mayBeEmpty?: boolean;
}

const draftOf = (place: string): string => localStorage.getItem(`draft:${place}`) ?? "";

function keepDraft(place: string, text: string): void {
  if (text) localStorage.setItem(`draft:${place}`, text);
  else localStorage.removeItem(`draft:${place}`);
}

export function Composer({ place, busy, stopping, placeholder, lastSaid, submit, changed, stop, children, tools, mayBeEmpty = false }: Given) {
  const [text, setText] = useState(() => draftOf(place));
  const area = useRef<HTMLTextAreaElement>(null);
  const current = useRef(place);
  if (current.current !== place) {
    current.current = place;
    setText(draftOf(place));
  }
  const write = (now: string): void => {
    setText(now);
    keepDraft(place, now);
  };
  useEffect(() => {
    const back = (event: Event): void => {
      const given = (event as CustomEvent<string>).detail;
      // The place changes with the address; what is handed back goes where the user is then.
      setTimeout(() => setText((now) => {
        const whole = [given, now].filter(Boolean).join("\n");
        keepDraft(current.current, whole);
        return whole;
      }));
    };
    // A draft that was taken elsewhere (asked once an assistant was chosen) is gone here too.
    const taken = (): void => setText("");
    addEventListener("madang:handback", back);
    addEventListener("madang:taken", taken);
    return () => {
      removeEventListener("madang:handback", back);
      removeEventListener("madang:taken", taken);
    };
  }, []);
  useEffect(() => {
    if (matchMedia("(min-width: 1024px)").matches) area.current?.focus({ preventScroll: true });
  }, [place]);
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.style.height = "auto";
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);
  const send = (): void => {
    const said = text.trim();
    if ((said || mayBeEmpty) && submit(said)) write("");
  };
  const stops = busy && !text.trim();
  return (
    <form className="composer" onSubmit={(event) => { event.preventDefault(); send(); }}>
      {children}
      <div className="box">
        {tools}
        <textarea ref={area} id="question" rows={1} aria-label={t("question")} placeholder={placeholder} value={text}
          onChange={(event) => { write(event.target.value); changed?.(); }}
          onKeyDown={(event) => {
            if (isSend(event)) {
              event.preventDefault();
              send();
            } else if (event.key === "ArrowUp" && !text && lastSaid) {
              event.preventDefault();
              write(lastSaid);
            }
          }} />
        {stops ? (
          <button type="button" className="round stop" aria-label={t("stop")} title={t("stop")} disabled={stopping} onClick={stop}><Icon name="stop" size={16} /></button>
        ) : (
          <button type="submit" className="round" aria-label={t("send")} title={t("send")} disabled={!text.trim() && !mayBeEmpty}><Icon name="send" size={20} /></button>
        )}
      </div>
    </form>
  );
}
