// Every view has an address: #/s/{session}/{view}?…, #/new/{assistant}, #/settings, #/shared/{id}, #/compare/{a}/{b}.

import { createStore, useStore } from "./store";

export interface Route {
  page: "welcome" | "new" | "session" | "settings" | "shared" | "compare";
  id: string | null;
  other: string | null;
  view: string | null;
  query: URLSearchParams;
}

function decoded(part: string | undefined): string | null {
  if (part === undefined || part === "") return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/");
  const route: Route = { page: "welcome", id: null, other: null, view: null, query: new URLSearchParams(query) };
  const id = decoded(parts[1]);
  if (parts[0] === "s" && id) return { ...route, page: "session", id, view: decoded(parts[2]) };
  if (parts[0] === "new" && id) return { ...route, page: "new", id, view: decoded(parts[2]) };
  if (parts[0] === "shared" && id) return { ...route, page: "shared", id };
  if (parts[0] === "compare" && id) return { ...route, page: "compare", id, other: decoded(parts[2]) };
  if (parts[0] === "settings") return { ...route, page: "settings" };
  return route;
}

export const routing = createStore<{ route: Route }>({ route: parse(location.hash) });
addEventListener("hashchange", () => routing.set({ route: parse(location.hash) }));

export const useRoute = (): Route => useStore(routing, (now) => now.route);

export function go(address: string): void {
  if (location.hash === address || (address === "#/" && location.hash === "")) return;
  location.hash = address;
  routing.set({ route: parse(location.hash) });
}

// In place of the present address: a view that changes with every click needn't be walked back through.
export function goInstead(address: string): void {
  history.replaceState(null, "", address);
  routing.set({ route: parse(location.hash) });
}

export const sessionAddress = (id: string, view?: string | null, query?: { [name: string]: string | null | undefined }): string => {
  const given = Object.entries(query ?? {}).filter((one): one is [string, string] => Boolean(one[1]));
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/s/${encodeURIComponent(id)}${view ? `/${view}` : ""}${search}`;
};
