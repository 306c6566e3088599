// What the server says, as far as the app looks at it. Fields that assistants fill freely stay `unknown`.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Record_ = { [key: string]: unknown };

export interface Assistant {
  name: string;
  title: string;
  description: string;
  greeting: string;
  examples: string[];
}

export interface InputSchema {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  oneOf?: { const: string; title: string }[];
  items?: InputSchema;
  "x-kind"?: string;
  "x-unit"?: string;
  "x-serves"?: string[];
}

export interface AssistantDetails extends Assistant {
  inputs: { properties?: { [name: string]: InputSchema } };
  step_titles: { [task: string]: string };
}

export interface Session {
  session_id: string;
  assistant: string | null;
  title: string | null;
  parent_session_id: string | null;
  message_count?: number;
  last_message?: string | null;
  last_seq?: number;
  created_at: string;
  updated_at: string;
  archived?: boolean;
  snippet?: string | null;
  status?: string;
}

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface Message {
  id: number;
  role: string;
  content: string;
  structured_data: Record_ | null;
  request_id: string | null;
  run_id: string | null;
  created_at: string;
}

export interface Run {
  run_id: string;
  session_id: string;
  status: string;
  request_id: string | null;
  error: Record_ | null;
  usage: Record_ | null;
}

export type StepStatus = "pending" | "in_progress" | "completed" | "failed" | "skipped";

export interface Step {
  step_id: string;
  agent_name: string;
  task?: string;
  description?: string;
  team?: string;
  status: StepStatus;
  progress_percentage?: number;
  started_at?: string | null;
  completed_at?: string | null;
  execution_time?: number;
  estimated_time?: number;
  error?: string | null;
  reused?: boolean;
  depends_on?: string[];
  attempts?: number;
  result?: unknown;
}

export interface Interrupt {
  interrupt_id: string;
  kind: "clarification" | "approval";
  question?: string;
  value?: unknown;
  choices?: unknown[];
  draft?: unknown;
  form?: unknown;
  field?: string | null;
}

export interface Claim {
  span: [number, number] | null;
  words: string;
  field: string;
  value: unknown;
  by: string;
  inferred?: boolean;
}

export interface Reading {
  acts?: { kind: string; span: [number, number] | null }[];
  claims?: Claim[];
  left?: { span: [number, number] | null; words: string; why: string }[];
}

export interface Frame {
  type: string;
  seq: number | null;
  session_id: string;
  request_id: string;
  timestamp: string;
  message?: string;
  execution_steps?: Step[];
  execution_strategy?: string;
  estimated_total_time?: number | null;
  intent?: string;
  confidence?: number | null;
  reading?: Reading | null;
  text?: string;
  restart?: boolean;
  answer?: string;
  response_type?: string;
  structured_data?: Record_;
  interrupts?: Interrupt[];
  error?: string;
  last_seq?: number;
  running?: { run_id: string; request_id: string; status: string } | null;
}

export interface Checkpoint {
  checkpoint_id: string;
  parent_checkpoint_id: string | null;
  created_at: string | null;
  step: number | null;
  source: string | null;
  run_id: string | null;
  request_id: string | null;
  next: string[];
}

export interface AgentMap {
  agents: { name: string; title: string; reads: string[]; writes: string[] }[];
  fields: { field: string }[];
  edges?: { from: string; to: string; conditional: boolean }[];
}

export interface StateAt {
  checkpoint_id: string | null;
  created_at: string | null;
  next: string[];
  interrupts: Interrupt[];
  state: Record_;
}

export interface InputValue {
  field: string;
  title: string;
  value: unknown;
  text: string;
  words: string;
}
