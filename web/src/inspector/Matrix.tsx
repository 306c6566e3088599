// Which agent reads (R) and writes (W) which field of the state.

import type { AgentMap } from "../api/types";
import { t } from "../i18n";

export function Matrix({ map }: { map: AgentMap }) {
  // Nodes that take the whole state and don't say what they write tell nothing.
  const told = map.agents.some((one) => one.writes.length || one.reads.length !== map.agents[0]?.reads.length);
  if (!told) return null;
  const used = map.fields.map((one) => one.field).filter((field) => map.agents.some((one) => one.reads.includes(field) || one.writes.includes(field)));
  return (
    <section className="matrix">
      <h3>{t("agents_and_fields")}</h3>
      <div className="scroll" tabIndex={0} role="region" aria-label={t("agents_and_fields")}>
        <table>
          <thead><tr><th scope="col" />{map.agents.map((one) => <th key={one.name} scope="col" title={one.name}><span>{one.title || one.name}</span></th>)}</tr></thead>
          <tbody>
            {used.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {map.agents.map((one) => {
                  const writes = one.writes.includes(field);
                  const reads = one.reads.includes(field);
                  return <td key={one.name} className={writes ? "writes" : reads ? "reads" : ""}>{writes ? "W" : ""}{reads ? "R" : ""}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
