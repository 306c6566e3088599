// What an assistant can be told and what its steps are called, asked for once in each language.

import { useEffect, useState } from "react";
import { call } from "../api/client";
import type { AssistantDetails } from "../api/types";
import { language, useLanguage } from "../i18n";
import { createStore, useStore } from "./store";

const details = new Map<string, Promise<AssistantDetails>>();

export function detailsOf(name: string): Promise<AssistantDetails> {
  const key = `${language.get().now} ${name}`;
  const found = details.get(key) ?? call<AssistantDetails>(`/assistants/${encodeURIComponent(name)}`);
  details.set(key, found);
  found.catch(() => details.delete(key));
  return found;
}

// Plans are kept as they were written, in Korean.
const titles = createStore<{ by: { [task: string]: string } }>({ by: {} });

export const stepTitle = (task: string): string => titles.get().by[task] ?? task;

export function useStepTitles(assistant: string | null): void {
  const now = useLanguage();
  useStore(titles, (one) => one.by);
  useEffect(() => {
    let here = true;
    if (!assistant || now === "ko") titles.set({ by: {} });
    else detailsOf(assistant).then((one) => here && titles.set({ by: one.step_titles }), () => null);
    return () => {
      here = false;
    };
  }, [assistant, now]);
}

// Whether an assistant has anything to fill in; null while that isn't known. Asked only of one that is named.
export function useHasForm(assistant: string | null): boolean | null {
  const [has, setHas] = useState<boolean | null>(null);
  useEffect(() => {
    let here = true;
    setHas(null);
    if (assistant) detailsOf(assistant).then((one) => here && setHas(Object.keys(one.inputs.properties ?? {}).length > 0), () => null);
    return () => {
      here = false;
    };
  }, [assistant]);
  return has;
}
