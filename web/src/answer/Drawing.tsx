// ECharts, only the parts that are used. Canvas: its SVG drawings bring styles that our content policy refuses.

import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { compact } from "./figures";
import type { Figures } from "./figures";
import { useTheme } from "../state/theme";

use([BarChart, LineChart, GridComponent, LegendComponent, CanvasRenderer]);

export default function Drawing({ figures }: { figures: Figures }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    if (!place.current) return;
    const chart = init(place.current, null, { renderer: "canvas" });
    const draw = (): void => chart.setOption(options(figures, place.current?.clientWidth ?? 600), { notMerge: true });
    draw();
    const watch = new ResizeObserver(() => {
      chart.resize();
      draw();
    });
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      chart.dispose();
    };
  }, [figures, theme]);
  return <div ref={place} className="canvas" data-drawn={figures.kind} />;
}

function options(figures: Figures, width: number): { [name: string]: unknown } {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const words = { color: colour("--ink-2"), fontFamily: colour("--font"), fontSize: 12.5 };
  const many = figures.series.length > 1;
  const value = { formatter: ({ value: one }: { value: number }) => compact(one, figures.unit) };
  const shared = {
    animation: false,
    color: [1, 2, 3, 4, 5].map((n) => colour(`--series-${n}`)),
    legend: many ? { top: 0, left: 0, itemWidth: 12, itemHeight: 12, icon: "roundRect", textStyle: words } : { show: false },
  };
  if (figures.kind === "line") return { ...shared, ...lines(figures, words, value, colour, many) };
  const longest = Math.max(...figures.labels.map((one) => [...one].length));
  return {
    ...shared,
    grid: { left: 4, right: 84, top: many ? 30 : 4, bottom: 4, containLabel: true },
    xAxis: { type: "value", show: false, min: (range: { min: number }) => Math.min(0, range.min) },
    yAxis: {
      type: "category", data: figures.labels, inverse: true, axisLine: { show: false }, axisTick: { show: false },
      axisLabel: { ...words, width: Math.min(width * 0.34, longest * 13), overflow: "truncate" },
    },
    series: figures.series.map((one) => ({
      type: "bar", name: one.name, data: one.values, barMaxWidth: 18, barGap: "25%", itemStyle: { borderRadius: 3 },
      label: { show: true, position: "right", ...words, ...value },
    })),
  };
}

function lines(figures: Figures, words: object, value: object, colour: (name: string) => string, many: boolean): object {
  const all = figures.series.flatMap((one) => one.values);
  const spread = Math.max(...all) - Math.min(...all) || Math.abs(all[0] ?? 1);
  return {
    grid: { left: 12, right: 24, top: many ? 44 : 26, bottom: 4, containLabel: true },
    xAxis: {
      type: "category", data: figures.labels, boundaryGap: false, axisTick: { show: false }, axisLine: { lineStyle: { color: colour("--line") } },
      axisLabel: { ...words, hideOverlap: true },
    },
    yAxis: { type: "value", show: false, min: Math.min(...all) - spread * 0.25, max: Math.max(...all) + spread * 0.1 },
    series: figures.series.map((one) => {
      const told = new Set([0, one.values.length - 1, one.values.indexOf(Math.max(...one.values)), one.values.indexOf(Math.min(...one.values))]);
      return {
        type: "line", name: one.name, symbolSize: 7, lineStyle: { width: 2 }, label: { show: true, position: "top", ...words, ...value },
        data: one.values.map((each, i) => ({ value: each, label: { show: told.has(i), align: i === one.values.length - 1 ? "right" : i ? "center" : "left" } })),
      };
    }),
  };
}
