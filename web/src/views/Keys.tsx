// One's API keys: which there are, a new one (shown once), and shutting one out.

import { useState } from "react";
import { call } from "../api/client";
import { dateTime, t } from "../i18n";
import { useAsked } from "../inspector/useAsked";
import { flash } from "../state/toast";
import { copyText } from "../ui/files";

interface ApiKey {
  key_id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  current: boolean;
}

export function Keys({ mayMake, leave }: { mayMake: boolean; leave: () => void }) {
  const [changed, setChanged] = useState(0);
  const [made, setMade] = useState<{ key_id: string; api_key: string } | null>(null);
  const { value: keys, why } = useAsked<ApiKey[]>("/me/keys", changed);
  const [name, setName] = useState("");
  const [making, setMaking] = useState(false);
  const make = async (): Promise<void> => {
    setMaking(true);
    try {
      setMade(await call("/me/keys", { method: "POST", body: { name: name.trim() } }));
      setName("");
      setChanged((n) => n + 1);
    } catch (error) {
      flash((error as Error).message);
    }
    setMaking(false);
  };
  const revoke = async (key: ApiKey): Promise<void> => {
    try {
      await call(`/me/keys/${encodeURIComponent(key.key_id)}`, { method: "DELETE" });
    } catch (error) {
      return flash((error as Error).message);
    }
    if (key.current) return leave();
    if (made?.key_id === key.key_id) setMade(null);
    setChanged((n) => n + 1);
  };
  return (
    <section aria-labelledby="keys-title">
      <h2 id="keys-title">{t("keys")}</h2>
      <p className="meta">{t("keys_why")}</p>
      {why && <p className="notice bad" role="alert">{why}</p>}
      <ul className="memories">{keys?.map((one) => <Row key={one.key_id} of={one} revoke={() => revoke(one)} />)}</ul>
      {made && (
        <div className="made-key" role="status">
          <code>{made.api_key}</code>
          <p className="meta">{t("key_once")}</p>
          <button type="button" className="outlined" onClick={() => void copyText(made.api_key)}>{t("copy")}</button>
        </div>
      )}
      {mayMake ? (
        <form className="new-preference" onSubmit={(event) => { event.preventDefault(); if (name.trim() && !making) void make(); }}>
          <input aria-label={t("key_name")} placeholder={t("key_name")} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <button type="submit" className="outlined" disabled={!name.trim() || making}>{t("key_make")}</button>
        </form>
      ) : <p className="meta">{t("key_by_admin")}</p>}
    </section>
  );
}

function Row({ of: key, revoke }: { of: ApiKey; revoke: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const facts = [
    key.last_used_at ? t("key_used", { when: dateTime(key.last_used_at) }) : t("key_unused"),
    ...(key.expires_at ? [t("key_until", { when: dateTime(key.expires_at) })] : []),
  ];
  return (
    <li>
      <span>
        {key.name || <code>{key.key_id}</code>}{key.current && <span className="label">{t("key_current")}</span>}
        <small>{key.name && <><code>mdg_{key.key_id}_…</code> · </>}{facts.join(" · ")}</small>
        {asking && <small role="alert">{t(key.current ? "key_revoke_current" : "key_revoke_why")}</small>}
      </span>
      {asking ? (
        <span className="buttons">
          <button type="button" className="outlined small warning" autoFocus onClick={() => void revoke()}>{t("key_revoke")}</button>
          <button type="button" className="quiet small" onClick={() => setAsking(false)}>{t("cancel")}</button>
        </span>
      ) : <button type="button" className="quiet small" aria-label={`${t("key_revoke")}: ${key.name || key.key_id}`} onClick={() => setAsking(true)}>{t("key_revoke")}</button>}
    </li>
  );
}
