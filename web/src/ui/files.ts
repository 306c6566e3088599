// Copying and saving.

import { request } from "../api/client";
import { t } from "../i18n";
import { flash } from "../state/toast";

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page that isn't served securely has no clipboard of its own.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  flash(t("copied"), null, 2000);
}

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const saveText = (text: string, name: string, type = "text/plain"): void => saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), name);

export async function saveDocument(id: string, title: string, format: string): Promise<void> {
  try {
    const answer = await request(`/documents/${encodeURIComponent(id)}?format=${encodeURIComponent(format)}`);
    saveBlob(await answer.blob(), `${title}.${format}`);
  } catch (error) {
    const missing = (error as { status?: number }).status === 404;
    flash(missing ? t("no_format", { format }) : (error as Error).message);
  }
}
