// Which model answers, or that none does, why, and how to set one.

import { t } from "../i18n";
import { useAsked } from "../inspector/useAsked";

export interface ModelState {
  model: string | null;
  reachable: boolean | null;
  reason?: string | null;
}

export function Model() {
  const { value, loading } = useAsked<ModelState>("/model");
  if (!value) return <p className="meta">{loading ? t("loading") : t("model_unknown")}</p>;
  if (!value.model)
    return (
      <>
        <p>{t("no_model")}</p>
        <pre tabIndex={0}><code>{"MADANG_LLM=openai:gpt-5-mini\nOPENAI_API_KEY=…\n\n# ollama\nMADANG_LLM=ollama:qwen3\nMADANG_LLM_BASE_URL=http://127.0.0.1:11434/v1"}</code></pre>
        <p className="meta">{t("model_how")}</p>
      </>
    );
  return <p>{value.model} <span className="label">{value.reachable ? t("reachable") : t("not_reachable")}</span>{!value.reachable && value.reason && <span className="notice bad"> {value.reason}</span>}</p>;
}

// Said where one begins, so that nobody expects what isn't there.
export function NoModel() {
  const { value } = useAsked<ModelState>("/model");
  if (!value || (value.model && value.reachable !== false)) return null;
  return <p className="meta no-model">{value.model ? t("model_not_reached", { name: value.model }) : t("no_model_here")} <a className="link" href="#/settings">{t("set_model")}</a></p>;
}

// The quiet line below the conversations: always to be seen.
export function ModelLine() {
  const { value } = useAsked<ModelState>("/model");
  if (!value) return null;
  const text = value.model ? (value.reachable === false ? t("model_not_reached", { name: value.model }) : value.model) : t("without_model");
  return <a className="model-line meta" href="#/settings" title={value.reason ?? ""}><span className={`lamp${value.model && value.reachable !== false ? " on" : ""}`} aria-hidden="true" />{text}</a>;
}
