// Asked for when the server wants a credential; says what is wrong with one that wasn't accepted.

import { useEffect, useRef, useState } from "react";
import { t } from "../i18n";
import { access, giveKey } from "../state/access";
import { useStore } from "../state/store";

export function SignIn() {
  const { asking, wrong } = useStore(access, (now) => now);
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  useEffect(() => {
    if (asking && !dialog.current?.open) dialog.current?.showModal();
    if (!asking) dialog.current?.close();
  }, [asking]);
  return (
    <dialog ref={dialog} className="sign-in" aria-labelledby="sign-in-title" onCancel={(event) => event.preventDefault()}>
      <form onSubmit={(event) => { event.preventDefault(); if (key.trim()) { giveKey(key.trim()); setKey(""); } }}>
        <h2 id="sign-in-title">{t("sign_in")}</h2>
        <p>{t("key_why")}</p>
        <label htmlFor="key">{t("key")}</label>
        <input id="key" type="password" autoComplete="current-password" value={key} onChange={(event) => setKey(event.target.value)} aria-describedby={wrong ? "key-wrong" : undefined} />
        {wrong && <p id="key-wrong" role="alert" className="notice bad">{t("key_wrong")}</p>}
        <div className="buttons"><button type="submit" className="filled">{t("sign_in")}</button></div>
      </form>
    </dialog>
  );
}
