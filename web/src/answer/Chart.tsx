// Figures, drawn. The drawing library is loaded with the first chart; until then, and for screen readers, the figures are told.

import { Suspense, lazy } from "react";
import { compact } from "./figures";
import type { Figures } from "./figures";

const Drawing = lazy(() => import("./Drawing"));

export function Chart({ figures }: { figures: Figures }) {
  const told = figures.series.map((one) => `${one.name} ${figures.labels.map((label, i) => `${label} ${compact(one.values[i] ?? 0, figures.unit)}`).join(", ")}`);
  const height = figures.kind === "line" ? 240 : figures.labels.length * (figures.series.length * 24 + (figures.series.length > 1 ? 14 : 6)) + 24;
  return (
    <figure className="chart">
      {figures.title && <figcaption>{figures.title}</figcaption>}
      <div role="img" aria-label={[figures.title, ...told].join(". ")} style={{ height }}>
        <Suspense fallback={null}><Drawing figures={figures} /></Suspense>
      </div>
      {figures.note && <p className="meta">{figures.note}</p>}
    </figure>
  );
}
