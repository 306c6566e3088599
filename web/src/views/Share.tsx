// A read-only address of this conversation: made, seen, taken back; and the conversation as a file.

import { useEffect, useRef, useState } from "react";
import { call, sessionPath } from "../api/client";
import type { Session } from "../api/types";
import { t } from "../i18n";
import { flash } from "../state/toast";
import { copyText } from "../ui/files";
import { nameOf } from "../state/sessions";
import { saveMarkdown, saveJson } from "./exporting";

interface Shared {
  share_id: string;
  url?: string;
  redacted?: boolean;
  created_at?: string;
}

const addressOf = (one: Shared): string => `${location.origin}/#/shared/${encodeURIComponent(one.share_id)}`;

export default function Share({ session, close }: { session: Session; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shares, setShares] = useState<Shared[]>([]);
  const [redacted, setRedacted] = useState(true);
  const path = sessionPath(session.session_id);
  const read = (): void => void call<Shared[] | { items: Shared[] }>(`${path}/shares`).then((found) => setShares(Array.isArray(found) ? found : found.items), () => null);
  useEffect(() => {
    dialog.current?.showModal();
    read();
  }, []);
  const make = async (): Promise<void> => {
    try {
      const made = await call<Shared>(`${path}/share`, { method: "POST", body: { redacted } });
      await copyText(addressOf(made));
      read();
    } catch (error) {
      flash((error as Error).message);
    }
  };
  const revoke = async (id: string): Promise<void> => {
    await call(`/shares/${encodeURIComponent(id)}`, { method: "DELETE" }).catch((error: Error) => flash(error.message));
    read();
  };
  return (
    <dialog ref={dialog} className="share" aria-labelledby="share-title" onClose={close}>
      <div className="share-body">
        <h2 id="share-title">{t("share")}</h2>
        <p className="meta">{t("share_why")}</p>
        <label className="check"><input type="checkbox" checked={redacted} onChange={(event) => setRedacted(event.target.checked)} />{t("share_redacted")}</label>
        <div className="buttons"><button type="button" className="filled" onClick={() => void make()}>{t("share_make")}</button></div>
        {shares.map((one) => (
          <div key={one.share_id} className="share-row">
            <a href={addressOf(one)}>{addressOf(one).replace(location.origin, "")}</a>{one.redacted && <span className="label">{t("redacted")}</span>}
            <button type="button" className="quiet small" onClick={() => void copyText(addressOf(one))}>{t("copy")}</button>
            <button type="button" className="quiet small warning" onClick={() => void revoke(one.share_id)}>{t("share_revoke")}</button>
          </div>
        ))}
        <h3>{t("export")}</h3>
        <div className="buttons">
          <button type="button" className="outlined" onClick={() => void saveMarkdown(session, nameOf(session))}>Markdown</button>
          <button type="button" className="outlined" onClick={() => void saveJson(session, nameOf(session))}>JSON</button>
          <button type="button" className="quiet" onClick={() => dialog.current?.close()}>{t("close")}</button>
        </div>
      </div>
    </dialog>
  );
}
