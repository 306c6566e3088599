// What the server says to a request, asked again when the request, `fresh` or the language changes. An older answer never replaces a newer one.

import { useEffect, useState } from "react";
import { call } from "../api/client";
import { useLanguage } from "../i18n";

export interface Asked<T> {
  value: T | null;
  why: string;
  loading: boolean;
}

export function useAsked<T>(path: string | null, fresh: unknown = null): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ value: null, why: "", loading: path !== null });
  const spoken = useLanguage();
  useEffect(() => {
    if (path === null) return setAsked({ value: null, why: "", loading: false });
    let here = true;
    setAsked((now) => ({ ...now, loading: true }));
    call<T>(path).then(
      (value) => here && setAsked({ value, why: "", loading: false }),
      (error: Error) => here && setAsked({ value: null, why: error.message, loading: false }),
    );
    return () => {
      here = false;
    };
  }, [path, fresh, spoken]);
  return asked;
}
