// One input: what was understood, from which words, and an editor that its schema asks for.

import { useId } from "react";
import type { InputSchema, InputValue } from "../api/types";
import { t } from "../i18n";
import { fromText, inWords, isList, isNumber, readNumber, toText } from "./values";

interface Given {
  name: string;
  schema: InputSchema;
  known: InputValue | undefined;
  text: string | undefined;
  change: (text: string) => void;
  problem: string | undefined;
  marked: boolean;
  /** What an empty field says. */
  empty?: string;
}

export function Field({ name, schema, known, text, change, problem, marked, empty = t("not_said") }: Given) {
  const id = useId();
  const own = toText(known?.value, schema);
  const now = text ?? own;
  const title = schema.title ?? known?.title ?? name;
  const edited = text !== undefined && text !== own;
  const amount = isNumber(schema) && now ? readNumber(now) : null;
  const hint = isTyped(schema) && (schema.description?.length ?? 0) <= HINT ? schema.description : "";
  const said = amount === null ? "" : inWords(amount, schema["x-unit"] ?? "");
  return (
    <div className={`input${edited ? " edited" : ""}${marked ? " marked" : ""}`} data-field={name}>
      <label htmlFor={id}>{title}</label>
      <Editor id={id} name={name} empty={hint || empty} schema={schema} now={now} change={change} bad={problem !== undefined} />
      <p className="meta">
        {problem ? <span className="warning" role="alert">{problem}</span> : (
          <>
            {said && <span>{said}</span>}
            {known?.words && !edited && <span className="from">“{known.words}”</span>}
            {!now && !hint && schema.description && <span>{schema.description}</span>}
          </>
        )}
      </p>
    </div>
  );
}

// A short word on what belongs there stands in the field itself, where there is a line to stand on.
const HINT = 40;
const isTyped = (schema: InputSchema): boolean => !(schema.oneOf ?? schema.items?.oneOf) && schema.type !== "boolean" && schema.format !== "date";

interface Edited {
  id: string;
  name: string;
  empty: string;
  schema: InputSchema;
  now: string;
  change: (text: string) => void;
  bad: boolean;
}

function Editor({ id, name, empty, schema, now, change, bad }: Edited) {
  const shared = { id, "aria-invalid": bad };
  const choices = schema.oneOf;
  if (choices)
    return (
      <select {...shared} value={now} onChange={(event) => change(event.target.value)}>
        <option value="">{name === "task" ? t("no_task") : t("not_said")}</option>
        {choices.map((one) => <option key={one.const} value={one.const}>{one.title}</option>)}
      </select>
    );
  const several = isList(schema) ? schema.items?.oneOf : undefined;
  if (several) {
    const chosen = (fromText(now, schema) ?? []) as string[];
    const toggle = (one: string): void => change((chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]).join(", "));
    return (
      <div className="chips options" id={id} role="group">
        {several.map((one) => <button key={one.const} type="button" className="chip small" aria-pressed={chosen.includes(one.const)} onClick={() => toggle(one.const)}>{one.title}</button>)}
      </div>
    );
  }
  if (schema.type === "boolean")
    return (
      <select {...shared} value={now} onChange={(event) => change(event.target.value)}>
        <option value="">{t("not_said")}</option>
        <option value="true">{t("yes")}</option>
        <option value="false">{t("no")}</option>
      </select>
    );
  if (schema.format === "date") return <input {...shared} type="date" value={now} onChange={(event) => change(event.target.value)} />;
  if (now.length > 60) return <textarea {...shared} rows={4} value={now} onChange={(event) => change(event.target.value)} />;
  return <input {...shared} value={now} placeholder={empty} inputMode={isNumber(schema) ? "decimal" : "text"} onChange={(event) => change(event.target.value)} />;
}
