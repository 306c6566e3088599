// The fields that a question asks for, from its JSON Schema: what must be filled first, the rest on request.

import { useState } from "react";
import type { InputSchema, InputValue } from "../api/types";
import { t } from "../i18n";
import { Field } from "../understood/Field";
import { fromText, toText } from "../understood/values";

export interface Form {
  properties?: { [name: string]: InputSchema & { default?: unknown } };
  required?: string[];
}

export type Texts = { [name: string]: string };

// What was typed that isn't there already: the values to send, and the words for them.
export function filled(form: Form, texts: Texts): { values: { [name: string]: unknown }; words: string } {
  const named = Object.entries(texts).filter(([name, text]) => text.trim() && text !== toText(form.properties?.[name]?.default, form.properties?.[name] ?? {}));
  const schema = (name: string): InputSchema => form.properties?.[name] ?? {};
  return {
    values: Object.fromEntries(named.map(([name, text]) => [name, fromText(text, schema(name))])),
    words: named.map(([name, text]) => `${schema(name).title ?? name} ${text.trim()}`).join(", "),
  };
}

export function AskForm({ form, texts, set, all }: { form: Form; texts: Texts; set: (texts: Texts) => void; all: boolean }) {
  const [more, setMore] = useState(false);
  const fields = Object.entries(form.properties ?? {});
  const missing = (name: string): boolean => Boolean(form.required?.includes(name)) && form.properties?.[name]?.default === undefined;
  const shown = fields.filter(([name, schema]) => more || name in texts || (all ? schema.default !== undefined : missing(name)));
  const hidden = fields.length - shown.length;
  return (
    <div className="ask-form">
      {shown.map(([name, schema]) => (
        <Field key={name} name={name} schema={schema} known={schema.default === undefined ? undefined : known(name, schema)} text={texts[name]} marked={false} empty=""
          problem={undefined} change={(text) => set({ ...texts, [name]: text })} />
      ))}
      {(hidden > 0 || more) && <button type="button" className="quiet small" onClick={() => setMore(!more)}>{more ? t("fewer") : t("all_inputs", { count: hidden })}</button>}
    </div>
  );
}

const known = (field: string, schema: InputSchema & { default?: unknown }): InputValue => ({ field, title: schema.title ?? field, value: schema.default, text: "", words: "" });
