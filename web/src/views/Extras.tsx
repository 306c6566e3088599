// What comes with an answer: charts, tables, documents, sources.

import { Chart } from "../answer/Chart";
import { isCited } from "../answer/citing";
import { figuresOf, records, tableOf } from "../answer/figures";
import { Table } from "../answer/Table";
import { Trip } from "../answer/Trip";
import type { Record_ } from "../api/types";
import { t } from "../i18n";
import type { Turn } from "../state/turns";
import { saveDocument, saveText } from "../ui/files";
import { Icon } from "../ui/Icon";

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function Extras({ turn, openSource }: { turn: Turn; openSource: (name: string) => void }) {
  const data = turn.data;
  if (!data) return null;
  const sections = records(data["sections"]);
  const charts = [
    ...records(data["visualizations"]).map((one) => figuresOf(one)), ...records(data["charts"]).map((one) => figuresOf(one)),
    ...sections.filter((one) => one["chart"]).map((one) => figuresOf(one["chart"] as Record_, String(one["title"] ?? ""))),
  ].filter((one) => one !== null);
  const tables = [tableOf(data["table"]), ...list(data["tables"]).map((one) => tableIn(one))].filter((one) => one !== null);
  const documents = [data["document"], ...sections.filter((one) => one["type"] === "document")].filter((one): one is Record_ => Boolean((one as Record_ | undefined)?.["document_id"]));
  return (
    <>
      <Trip data={data} />
      {charts.map((figures, i) => <Chart key={`c${i}`} figures={figures} />)}
      {tables.map((cells, i) => <Table key={`t${i}`} {...cells} />)}
      {records(data["files"]).map((file, i) => (
        <p key={`f${i}`}>
          <button type="button" className="outlined" onClick={() => saveText(String(file["content"] ?? ""), String(file["filename"]), String(file["media_type"] ?? "text/plain"))}>
            <Icon name="down" />{String(file["filename"])}
          </button>
        </p>
      ))}
      {documents.map((one) => <DocumentCard key={String(one["document_id"])} given={one} />)}
      <Sources listed={list((data["metadata"] as Record_ | undefined)?.["sources"])} text={turn.text} openSource={openSource} />
    </>
  );
}

function tableIn(given: unknown): ReturnType<typeof tableOf> {
  const one = given as Record_;
  return tableOf(one["rows"] ?? one, one["columns"]);
}

function DocumentCard({ given }: { given: Record_ }) {
  const title = String(given["title"] || t("document"));
  const formats = list(given["formats"]).map(String);
  return (
    <section className="sheet document">
      <h3>{title}</h3>
      <div className="buttons">
        {(formats.length ? formats : ["docx", "md", "html", "pdf"]).map((format) => (
          <button key={format} type="button" className="outlined" aria-label={t("download", { name: title, format })} onClick={() => saveDocument(String(given["document_id"]), title, format)}>
            <Icon name="down" />{format.toUpperCase()}
          </button>
        ))}
      </div>
    </section>
  );
}

export function nameOfSource(source: unknown): { name: string; when: string } {
  if (typeof source === "string") return { name: source, when: "" };
  const given = source as Record_;
  const name = given["title"] ?? given["name"] ?? given["source"] ?? given["tool"] ?? JSON.stringify(source);
  return { name: String(name), when: String(given["as_of"] ?? given["effective_date"] ?? given["date"] ?? "") };
}

// What the answer rests on and doesn't name itself: what it names is opened where it stands.
function Sources({ listed, text, openSource }: { listed: unknown[]; text: string; openSource: (name: string) => void }) {
  const named = listed.map(nameOfSource).filter(({ name, when }) => !isCited(name, when, text));
  if (!named.length) return null;
  return (
    <section className="sources">
      <h2>{t("sources")}</h2>
      <ol>
        {named.map(({ name, when }, i) => <li key={i}><button type="button" className="link" onClick={() => openSource(name)}>{name}</button>{when && <span className="label">{when}</span>}</li>)}
      </ol>
    </section>
  );
}
