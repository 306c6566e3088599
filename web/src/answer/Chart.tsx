// Figures, drawn. The drawing library is loaded with the first chart; until then, and for screen readers, the figures are told.

import { Suspense, lazy, useEffect, useState } from "react";
import { compact } from "./figures";
import type { Figures } from "./figures";

const Drawing = lazy(() => import("./Drawing"));

// Drawing takes longer than a frame: while something scrolls by, its place is kept and nothing is drawn.
const QUIET = 140;
let moved = -QUIET;
document.addEventListener("scroll", () => (moved = performance.now()), { capture: true, passive: true });

function useStill(): boolean {
  const [still, setStill] = useState(false);
  useEffect(() => {
    let timer = 0;
    const look = (): void => {
      const left = QUIET - (performance.now() - moved);
      if (left <= 0) setStill(true);
      else timer = window.setTimeout(look, left);
    };
    timer = window.setTimeout(look);
    return () => clearTimeout(timer);
  }, []);
  return still;
}

export function Chart({ figures }: { figures: Figures }) {
  const still = useStill();
  const told = figures.series.map((one) => `${one.name} ${figures.labels.map((label, i) => `${label} ${compact(one.values[i] ?? 0, figures.unit)}`).join(", ")}`);
  const height = figures.kind === "line" ? 240 : figures.labels.length * (figures.series.length * 24 + (figures.series.length > 1 ? 14 : 6)) + 24;
  return (
    <figure className="chart">
      {figures.title && <figcaption>{figures.title}</figcaption>}
      <div role="img" aria-label={[figures.title, ...told].join(". ")} style={{ height }}>
        {still && <Suspense fallback={null}><Drawing figures={figures} /></Suspense>}
      </div>
      {figures.note && <p className="meta">{figures.note}</p>}
    </figure>
  );
}
