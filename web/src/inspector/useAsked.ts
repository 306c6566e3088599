// What the server says to a request, asked again when the request or `fresh` changes. An older answer never replaces a newer one.

import { useEffect, useState } from "react";
import { call } from "../api/client";

export interface Asked<T> {
  value: T | null;
  why: string;
  loading: boolean;
}

export function useAsked<T>(path: string | null, fresh: unknown = null): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ value: null, why: "", loading: path !== null });
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
  }, [path, fresh]);
  return asked;
}
