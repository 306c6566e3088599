// The credential is kept until the browser closes, for all its tabs: in local storage, valid only while the browser still has
// this run's mark (a session cookie). The key itself is never in a cookie, which other ports of the same host would get.

const MARK = "madang_browser";

const markNow = (): string | null => /(?:^|; )madang_browser=([\w-]+)/.exec(document.cookie)?.[1] ?? null;

export function readKey(): string | null {
  const [mark, key] = (localStorage.getItem("key") ?? "").split("\n");
  if (mark && key && mark === markNow()) return key;
  if (key) dropKey();
  return null;
}

export function keepKey(key: string): void {
  const mark = markNow() ?? newId();
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${MARK}=${mark}; Path=/; SameSite=Strict${secure}`;
  localStorage.setItem("key", `${mark}\n${key}`);
}

// With the key goes what was typed under it: the next one to sign in here is perhaps someone else.
export function dropKey(): void {
  for (const name of Object.keys(localStorage)) if (name === "key" || name.startsWith("draft:")) localStorage.removeItem(name);
  sessionStorage.clear();
}

// `randomUUID` is there in secure contexts only; a server in a local network has none.
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
}
