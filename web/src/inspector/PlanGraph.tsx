// Steps and what they waited for, laid out by dagre, drawn by React Flow.

import { Graph, layout } from "@dagrejs/dagre";
import { Background, Handle, Position, ReactFlow } from "@xyflow/react";
import type { Edge, Node, NodeProps, ReactFlowInstance } from "@xyflow/react";
import { useEffect, useMemo, useRef } from "react";
import type { Step } from "../api/types";
import { duration, t } from "../i18n";
import type { Key } from "../i18n";
import { useTheme } from "../state/theme";
import { nameOfStep } from "../views/PlanPanel";

const WIDTH = 160;
const HEIGHT = 58;
const FIT = { padding: 0.12, maxZoom: 1 };
type StepNode = Node<{ step: Step; waits: boolean }, "step">;

function Box({ data: { step, waits } }: NodeProps<StepNode>) {
  const asks = waits && step.status === "in_progress";
  const took = (step.execution_time ?? 0) >= 0.05 ? ` · ${duration(step.execution_time ?? 0)}` : "";
  return (
    <div className={`flow-step ${step.status}${step.reused ? " reused" : ""}${asks ? " asks" : ""}`} title={step.error ?? step.description ?? ""}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <strong>{nameOfStep(step)}</strong>
      <span>{step.reused ? t("reused") : asks ? t("waits_for_you") : t(step.status as Key)}{took}{(step.attempts ?? 0) > 1 ? ` · ×${step.attempts}` : ""}</span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

const nodeTypes = { step: Box };

// `whole`: a graph as it is declared, of which every line is drawn and which may go in circles.
export default function PlanGraph({ steps, waits, whole }: { steps: Step[]; waits: boolean; whole: boolean }) {
  const theme = useTheme();
  const { nodes, edges } = useMemo(() => laidOut(steps, waits, whole), [steps, waits, whole]);
  const height = Math.min(520, Math.max(200, Math.max(0, ...nodes.map((one) => one.position.y + HEIGHT)) + 60));
  const place = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<StepNode, Edge> | null>(null);
  // It stays in sight when the panel or the window becomes narrower.
  useEffect(() => {
    const watched = new ResizeObserver(() => void flow.current?.fitView(FIT));
    if (place.current) watched.observe(place.current);
    return () => watched.disconnect();
  }, []);
  return (
    <div ref={place} className="flow" style={{ height }}>
      <ReactFlow nodes={nodes} edges={edges} nodeTypes={nodeTypes} colorMode={theme} onInit={(one) => { flow.current = one; }} fitView fitViewOptions={FIT} minZoom={0.3} nodesDraggable={false}
        nodesConnectable={false} edgesFocusable={false} proOptions={{ hideAttribution: true }} preventScrolling={false} zoomOnScroll={false}>
        <Background gap={18} />
      </ReactFlow>
    </div>
  );
}

function laidOut(steps: Step[], waits: boolean, whole: boolean): { nodes: StepNode[]; edges: Edge[] } {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 20, ranksep: 38 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const step of steps) graph.setNode(step.step_id, { width: WIDTH, height: HEIGHT });
  const ids = new Set(steps.map((one) => one.step_id));
  const links = steps.flatMap((step) => (whole ? (step.depends_on ?? []) : nearest(step, steps)).filter((id) => ids.has(id)).map((id) => ({ from: id, to: step.step_id })));
  for (const { from, to } of links) graph.setEdge(from, to);
  layout(graph);
  const nodes = steps.map((step): StepNode => {
    const { x, y } = graph.node(step.step_id) as { x: number; y: number };
    return { id: step.step_id, type: "step", position: { x: x - WIDTH / 2, y: y - HEIGHT / 2 }, data: { step, waits } };
  });
  return { nodes, edges: links.map(({ from, to }) => ({ id: `${from}-${to}`, source: from, target: to })) };
}

// What a step waited for, without what that had waited for itself: its line would only cross the others.
function nearest(step: Step, steps: Step[]): string[] {
  const before = step.depends_on ?? [];
  const waited = (id: string): string[] => {
    const own = steps.find((one) => one.step_id === id)?.depends_on ?? [];
    return [...own, ...own.flatMap(waited)];
  };
  const implied = new Set(before.flatMap(waited));
  return before.filter((id) => !implied.has(id));
}
