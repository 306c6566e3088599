// A file to go with the question: by button, dropped, or pasted.

import { useEffect, useRef } from "react";
import { t } from "../i18n";
import { ACCEPTED, attach, attached, detach } from "../state/files";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";

const none: never[] = [];

export function AttachButton({ session }: { session: () => Promise<string | null> }) {
  const input = useRef<HTMLInputElement>(null);
  const add = async (files: FileList | null): Promise<void> => {
    if (!files?.length) return;
    const given = [...files];
    const id = await session();
    if (id) for (const file of given) await attach(id, file);
  };
  useEffect(() => {
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      void add(event.dataTransfer.files);
    };
    const over = (event: DragEvent): void => event.preventDefault();
    const paste = (event: ClipboardEvent): void => void add(event.clipboardData?.files ?? null);
    addEventListener("drop", drop);
    addEventListener("dragover", over);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("drop", drop);
      removeEventListener("dragover", over);
      removeEventListener("paste", paste);
    };
  });
  return (
    <>
      <button type="button" className="icon-button clip" aria-label={t("attach")} title={t("attach")} onClick={() => input.current?.click()}><Icon name="clip" /></button>
      <input ref={input} id="files" type="file" hidden multiple accept={ACCEPTED} aria-label={t("attach")} onChange={(event) => { void add(event.target.files); event.target.value = ""; }} />
    </>
  );
}

export function AttachedFiles({ sessionId }: { sessionId: string }) {
  const files = useStore(attached, (now) => now.of[sessionId] ?? none);
  const uploading = useStore(attached, (now) => now.uploading);
  if (!files.length && !uploading) return null;
  return (
    <div className="attached" aria-live="polite">
      {files.map((one) => (
        <span key={one.id} className="file"><Icon name="clip" size={14} />{one.name}{one.about && <small>{one.about}</small>}
          <button type="button" aria-label={t("remove_file", { name: one.name })} onClick={() => detach(sessionId, one.id)}><Icon name="close" size={12} /></button></span>
      ))}
      {uploading && <span className="file meta">{t("reading_file", { name: uploading })}</span>}
    </div>
  );
}
