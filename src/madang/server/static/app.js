// The page: a client of the REST routes and the socket, nothing else. Text of others never becomes markup.

const $ = (id) => document.getElementById(id);
const TERMINAL = new Set(["response", "workflow_interrupted", "error", "cancelled"]);
const MARKS = { pending: "○", in_progress: "◐", completed: "✓", failed: "✕", skipped: "–" };
const STATES = { pending: "기다림", in_progress: "하는 중", completed: "마침", failed: "실패", skipped: "건너뜀" };

// What is known, in one place; everything shown follows from it.
const known = { assistants: [], sessions: [], cursor: null, session: null, turns: new Map(), last: 0, socket: null, tries: 0, unsent: [] };

// --- nodes ---

function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && !name.startsWith("aria")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// --- Markdown, the part that answers use ---

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*([^*\s][^*]*?)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>)]+)/g;

function inline(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [whole, , code, strong, weak, label, target, bare] = found;
    if (code !== undefined) parts.push(el("code", { textContent: code }));
    else if (strong !== undefined) parts.push(el("strong", {}, inline(strong)));
    else if (weak !== undefined) parts.push(el("em", {}, inline(weak)));
    else if (target || bare) parts.push(el("a", { href: target || bare, rel: "noopener noreferrer", target: "_blank", textContent: label || bare }));
    else parts.push(whole);
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function markdown(text) {
  const lines = String(text).replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let at = 0;
  const while_ = (pattern) => {
    const taken = [];
    while (at < lines.length && pattern.test(lines[at])) taken.push(lines[at++]);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,4})\s+(.*)/.exec(line);
    if (!line.trim()) at += 1;
    else if (/^```/.test(line)) {
      at += 1;
      const code = while_(/^(?!```)/);
      at += 1;
      blocks.push(el("pre", {}, el("code", { textContent: code.join("\n") })));
    } else if (heading) {
      at += 1;
      blocks.push(el(`h${Math.min(4, heading[1].length + 1)}`, {}, inline(heading[2])));
    } else if (/^(-{3,}|\*{3,})\s*$/.test(line)) {
      at += 1;
      blocks.push(el("hr"));
    } else if (/^>/.test(line)) {
      blocks.push(el("blockquote", {}, markdown(while_(/^>/).map((one) => one.replace(/^>\s?/, "")).join("\n"))));
    } else if (/^\|.*\|\s*$/.test(line) && /^\|?[\s:|-]+\|?\s*$/.test(lines[at + 1] || "")) {
      const rows = while_(/^\|/).map((one) => one.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
      blocks.push(table(rows[0], rows.slice(2)));
    } else if (/^\s*([-*•]|\d+[.)])\s+/.test(line)) {
      blocks.push(list(while_(/^\s*([-*•]|\d+[.)])\s+|^\s{2,}\S/)));
    } else {
      const words = while_(/^(?!\s*$|#{1,4}\s|```|>|\||\s*([-*•]|\d+[.)])\s)/);
      if (!words.length) words.push(lines[at++]);
      blocks.push(el("p", {}, words.flatMap((one, i) => (i ? [el("br"), ...inline(one)] : inline(one)))));
    }
  }
  return blocks;
}

function list(lines) {
  const ordered = /^\s*\d/.test(lines[0]);
  const items = [];
  for (const line of lines) {
    const found = /^(\s*)(?:[-*•]|\d+[.)])\s+(.*)/.exec(line);
    if (found && (found[1].length < 2 || !items.length)) items.push({ text: found[2], inner: [] });
    else items.at(-1).inner.push(line.replace(/^\s{2,4}/, ""));
  }
  const nodes = items.map((item) => el("li", {}, inline(item.text), item.inner.length ? markdown(item.inner.join("\n")) : null));
  return el(ordered ? "ol" : "ul", {}, nodes);
}

const isNumber = (text) => /^[-+]?[\d,]+(\.\d+)?\s*(원|만원|억원|%|명|박|일|㎡|건)?$/.test(String(text).trim());

function table(columns, rows) {
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumber(row[i] ?? "")));
  const cells = (tag, row) => columns.map((_, i) => el(tag, { className: numeric[i] ? "number" : "" }, inline(String(row[i] ?? ""))));
  const body = rows.map((row) => el("tr", {}, cells("td", row)));
  return el("div", { className: "scroll", tabIndex: 0 }, el("table", {}, el("thead", {}, el("tr", {}, cells("th", columns))), el("tbody", {}, body)));
}

// --- figures, tables, charts, sources ---

const plain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);
const shown = (value) => (typeof value === "number" ? value.toLocaleString("ko-KR", { maximumFractionDigits: 2 }) : value === null ? "" : String(value));

function records(rows) {
  if (!Array.isArray(rows) || !rows.length || !rows.every((row) => row && typeof row === "object" && !Array.isArray(row))) return null;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => plain(row[key]))))].slice(0, 8);
  return columns.length ? table(columns, rows.slice(0, 100).map((row) => columns.map((name) => shown(plain(row[name]) ? row[name] : "")))) : null;
}

function chart(given) {
  const labels = given.data?.labels ?? given.labels;
  const values = given.data?.values ?? given.values;
  const unit = given.data?.unit ?? given.unit ?? "";
  let drawing = null;
  if (Array.isArray(labels) && Array.isArray(values) && values.length && values.every(Number.isFinite)) {
    drawing = /line/.test(given.type || "") ? lines(labels, values, unit) : bars(labels, values, unit);
  } else if (/^data:image\//.test(given.image_url || "")) {
    drawing = el("img", { src: given.image_url, alt: given.title || "" });
  }
  return drawing && el("figure", {}, el("figcaption", { textContent: given.title || "" }), drawing);
}

const compact = (value, unit) => {
  const size = Math.abs(value);
  if (unit === "원" && size >= 1e8) return `${shown(value / 1e8)}억`;
  if (unit === "원" && size >= 1e4) return `${Math.round(value / 1e4).toLocaleString()}만`;
  if (size > 0 && size <= 1 && unit === "%") return `${(value * 100).toFixed(1)}%`;
  return shown(value) + (unit && unit !== "원" ? unit : "");
};

// Drawn at the width it will have, so that its words keep their size on a phone.
const chartWidth = () => Math.max(260, Math.min(640, $("conversation").clientWidth - 62));

function bars(labels, values, unit) {
  const row = 26, width = chartWidth(), left = Math.min(150, width * 0.3), room = width - left - 74;
  const letters = Math.floor(left / 11);
  const most = Math.max(...values.map(Math.abs), 1e-9);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${labels.length * row + 8}`, role: "img" });
  labels.forEach((label, i) => {
    const y = i * row + 4, length = Math.max(1, (Math.abs(values[i]) / most) * room);
    const name = svg("text", { x: left - 8, y: y + 15, "text-anchor": "end" });
    name.textContent = String(label).length > letters ? `${String(label).slice(0, letters - 1)}…` : label;
    const value = svg("text", { x: left + length + 6, y: y + 15 });
    value.textContent = compact(values[i], unit);
    drawing.append(name, svg("rect", { x: left, y, width: length, height: row - 8, rx: 3, class: values[i] < 0 ? "s4" : "s1" }), value);
  });
  return drawing;
}

function lines(labels, values, unit) {
  const width = chartWidth(), height = 200, left = 30, bottom = 28, top = 26;
  const spread = Math.max(...values) - Math.min(...values) || Math.abs(values[0]) || 1;
  const low = Math.min(...values) - spread * 0.25, high = Math.max(...values);
  const x = (i) => left + (labels.length > 1 ? (i / (labels.length - 1)) * (width - left * 2) : 0);
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - bottom - top);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  drawing.append(svg("line", { x1: left, x2: width - left, y1: y(low), y2: y(low), class: "axis" }));
  drawing.append(svg("polyline", { points: values.map((value, i) => `${x(i)},${y(value)}`).join(" "), class: "stroke" }));
  const every = Math.ceil(labels.length / Math.max(2, Math.floor(width / 80)));
  labels.forEach((label, i) => {
    drawing.append(svg("circle", { cx: x(i), cy: y(values[i]), r: 3, class: "s1" }));
    if (i % every && i !== labels.length - 1) return;
    const name = svg("text", { x: x(i), y: height - 8, "text-anchor": "middle" });
    name.textContent = label;
    const value = svg("text", { x: x(i), y: y(values[i]) - 7, "text-anchor": "middle" });
    value.textContent = compact(values[i], unit);
    drawing.append(name, value);
  });
  return drawing;
}

function sources(listed) {
  if (!Array.isArray(listed) || !listed.length) return null;
  const items = listed.map((source) => {
    if (typeof source === "string") return el("li", {}, inline(source));
    const name = source.title || source.name || source.source || source.tool || JSON.stringify(source);
    const when = source.as_of || source.effective_date || source.date;
    return el("li", {}, inline(String(name)), when ? el("span", { className: "label", textContent: when }) : null);
  });
  return el("section", { className: "sources" }, el("strong", { textContent: "근거" }), el("ol", {}, items));
}

function extras(data, last) {
  if (!data || typeof data !== "object") return [];
  const sections = Array.isArray(data.sections) ? data.sections : [];
  const charts = [...(data.visualizations || []), ...(data.charts || [])];
  const tables = [data.table, ...(data.tables || []).map((one) => one.rows || one), ...sections.map((one) => one.table ?? (one.type === "table" ? one.data : null))];
  return [
    ...charts.map(chart),
    ...tables.map(records),
    ...(data.files || []).map((file) => el("p", {}, el("button", { className: "outlined", type: "button", onclick: () => saveText(file) }, `↓ ${file.filename}`))),
    data.document?.document_id ? documentLinks(data.document) : null,
    sources(data.metadata?.sources),
    last && Array.isArray(data.choices) ? chips(data.choices, (choice) => say(choice)) : null,
  ].filter(Boolean);
}

function documentLinks(given) {
  const formats = Array.isArray(given.formats) && given.formats.length ? given.formats : ["docx", "md", "html", "pdf"];
  const buttons = formats.map((format) => el("button", { className: "outlined", type: "button", onclick: () => saveDocument(given, format) }, format));
  return el("div", { className: "sheet" }, el("h3", { textContent: given.title || "문서" }), el("div", { className: "buttons" }, buttons));
}

function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const saveText = (file) => save(new Blob([file.content], { type: file.media_type || "text/plain" }), file.filename);

async function saveDocument(given, format) {
  const answer = await call(`/documents/${encodeURIComponent(given.document_id)}?format=${format}`, { raw: true });
  if (answer.ok) save(await answer.blob(), `${given.title || given.document_id}.${format}`);
  else flash(`${format} 형식이 없습니다.`);
}

const chips = (choices, pick) => el("div", { className: "chips" }, choices.map((choice) => {
  const label = typeof choice === "string" ? choice : choice.label ?? choice.value ?? JSON.stringify(choice);
  return el("button", { className: "chip", type: "button", onclick: () => pick(typeof choice === "string" ? choice : choice.value ?? label) }, label);
}));

// --- turns: what events make of them ---

function turnOf(id) {
  if (!known.turns.has(id)) {
    known.turns.set(id, { id, asked: [], steps: [], text: "", data: null, status: "", interrupts: [], notes: [], node: null });
  }
  return known.turns.get(id);
}

function applyMessage(message) {
  const turn = turnOf(message.request_id || `message ${message.id}`);
  if (message.role === "user") turn.asked.push(message.content);
  else if (message.role === "assistant") {
    turn.text = message.content;
    turn.data = message.structured_data;
    turn.status = message.structured_data?.cancelled ? "cancelled" : "completed";
  }
}

function applyFrame(frame) {
  if (frame.seq !== null) {
    if (frame.seq <= known.last) return;
    known.last = frame.seq;
  }
  if (frame.type === "connected") return;
  if (frame.seq === null) return flash(frame.message);
  settleReply(frame.request_id);
  const turn = turnOf(frame.request_id);
  if (frame.execution_steps) turn.steps = frame.execution_steps;
  switch (frame.type) {
    case "planning_start": Object.assign(turn, { status: "running", doing: frame.message }); break;
    case "plan_ready":
      Object.assign(turn, { intent: frame.intent, estimate: frame.estimated_total_time, doing: `할 일 ${frame.execution_steps.length}가지를 하고 있습니다.` });
      break;
    case "data_reuse_notification": turn.reused = frame.message; break;
    case "token": turn.text = (frame.restart ? "" : turn.streamed ? turn.text : "") + frame.text; turn.streamed = true; break;
    case "response": Object.assign(turn, { text: frame.answer, data: frame.structured_data, kind: frame.response_type }); break;
    case "workflow_interrupted": turn.interrupts = frame.interrupts; break;
    case "error": turn.notes = [{ text: frame.message, bad: true }]; break;
    case "cancelled": turn.notes = [{ text: frame.message }]; break;
    default: break;
  }
  if (frame.type === "response" || frame.type === "error" || frame.type === "cancelled") turn.interrupts = [];
  if (TERMINAL.has(frame.type)) {
    turn.status = { response: "completed", workflow_interrupted: "interrupted", error: "failed", cancelled: "cancelled" }[frame.type];
    Object.assign(turn, { streamed: false, ended: true });
    listSoon();
  } else turn.status = "running";
  later(turn);
}

// A text typed while something is asked answers it, or begins a new turn: the server decides, and its frames tell.
function settleReply(id) {
  const reply = known.reply;
  if (!reply) return;
  known.reply = null;
  if (id === reply.id) {
    const old = turnOf(reply.old);
    old.asked.pop();
    later(old);
    turnOf(id).asked.push(reply.text);
  }
}

const current = () => [...known.turns.values()].at(-1);
const running = () => [...known.turns.values()].some((turn) => turn.status === "running" || turn.status === "sending");

// --- showing ---

const stale = new Set();

function later(turn) {
  if (!stale.size) requestAnimationFrame(showStale);
  stale.add(turn);
}

function showStale() {
  const place = $("conversation");
  const near = place.scrollHeight - place.scrollTop - place.clientHeight < 120;
  const ended = [...stale].find((turn) => turn.ended);
  for (const turn of stale) showTurn(turn);
  stale.clear();
  showPlan();
  if (near) place.scrollTop = place.scrollHeight;
  // A long answer is read from its beginning.
  if (near && ended && ended.node.offsetHeight > place.clientHeight) ended.node.scrollIntoView({ block: "start" });
  if (ended) ended.ended = false;
}

function showTurn(turn) {
  const fresh = el("article", { className: "turn" });
  fresh.append(...turn.asked.map((text) => el("div", { className: "asked", textContent: text })));
  const last = turn === current();
  if (turn.text) {
    const streaming = turn.status === "running" ? " streaming" : "";
    fresh.append(el("div", { className: `answer${streaming}` }, markdown(turn.text), turn.status === "running" ? [] : extras(turn.data, last)));
  } else if (turn.status === "running" || turn.status === "sending") {
    fresh.append(el("p", { className: "notice", textContent: turn.doing || "보내는 중입니다." }));
  }
  fresh.append(...turn.notes.map((note) => el("p", { className: `notice${note.bad ? " bad" : ""}`, textContent: note.text })));
  fresh.append(...turn.interrupts.map((one) => (one.kind === "approval" ? approval(turn, one) : question(turn, one))));
  if (turn.node) {
    if (turn.node.contains(document.activeElement) && turn.interrupts.length) return;
    turn.node.replaceWith(fresh);
  } else {
    $("conversation").querySelector(".welcome")?.remove();
    $("conversation").append(fresh);
  }
  turn.node = fresh;
}

function question(turn, asked) {
  const field = el("input", { "aria-label": asked.question || "답" });
  const send = (value) => answer(turn, asked, value, typeof value === "string" ? value : JSON.stringify(value));
  const form = el("form", { className: "buttons", onsubmit: (event) => { event.preventDefault(); if (field.value.trim()) send(field.value.trim()); } },
    field, el("button", { className: "filled", type: "submit" }, "답하기"));
  return el("section", { className: "sheet" }, el("h3", {}, inline(asked.question || String(asked.value ?? ""))), asked.choices?.length ? chips(asked.choices, send) : null, form);
}

function approval(turn, asked) {
  const draft = asked.draft ?? null;
  const changed = {};
  const note = el("textarea", { rows: 2, placeholder: "고칠 것이 있으면 적어 주세요", "aria-label": "메모" });
  const decide = (decision, label) => () => {
    const value = { decision, note: note.value.trim() };
    if (decision === "modify" && Object.keys(changed).length) value.changes = changed;
    answer(turn, asked, value, label + (value.note ? `: ${value.note}` : ""));
  };
  return el("section", { className: "sheet" },
    el("h3", {}, inline(asked.question || "확인해 주세요")),
    draft && typeof draft === "object" ? fields(draft, changed) : draft ? el("div", { className: "draft" }, markdown(draft)) : null,
    note,
    el("div", { className: "buttons" },
      el("button", { className: "filled", type: "button", onclick: decide("approve", "승인") }, "승인"),
      el("button", { className: "outlined", type: "button", onclick: decide("modify", "수정") }, "수정해서 다시"),
      el("button", { className: "outlined warning", type: "button", onclick: decide("reject", "거절") }, "거절")));
}

function fields(draft, changed) {
  const nodes = [];
  for (const [name, value] of Object.entries(draft)) {
    if (plain(value) && String(value ?? "").length < 200) {
      const id = `field-${Math.random().toString(36).slice(2)}`;
      const input = el("input", { id, value: value ?? "" });
      input.addEventListener("input", () => {
        const same = input.value === String(value ?? "");
        input.classList.toggle("changed", !same);
        if (same) delete changed[name];
        else changed[name] = typeof value === "number" && isNumber(input.value) ? Number(input.value.replace(/,/g, "")) : input.value;
      });
      nodes.push(el("label", { htmlFor: id, textContent: name }), input);
    } else {
      const body = typeof value === "string" ? markdown(value) : records(value) || el("code", { textContent: JSON.stringify(value, null, 1) });
      nodes.push(el("span", { className: "name", textContent: name }), el("div", {}, body));
    }
  }
  return el("div", { className: "fields" }, nodes);
}

function answer(turn, asked, value, words) {
  turn.interrupts = turn.interrupts.filter((one) => one.interrupt_id !== asked.interrupt_id);
  turn.asked.push(words);
  turn.status = "sending";
  document.activeElement?.blur();
  transmit({ type: "interrupt_response", interrupt_id: asked.interrupt_id, value });
  later(turn);
}

const stepNodes = new Map();

function showStep(step) {
  if (!stepNodes.has(step.step_id)) {
    const parts = { mark: el("span", { className: "mark" }), task: el("span", { className: "task" }), time: el("span", { className: "time" }), why: el("span", { className: "why" }), bar: el("span", { className: "bar" }, el("i")), state: el("span", { className: "hidden" }) };
    parts.skip = el("button", { className: "skip-step", type: "button", onclick: () => transmit({ type: "todo_skip", step_id: step.step_id }) }, "건너뛰기");
    parts.node = el("li", {}, parts.mark, el("span", {}, parts.task, parts.state), parts.time, parts.why, parts.bar, parts.skip);
    stepNodes.set(step.step_id, parts);
  }
  const parts = stepNodes.get(step.step_id);
  parts.node.className = step.status;
  parts.mark.textContent = step.reused ? "↺" : MARKS[step.status];
  parts.task.textContent = step.task || step.description || step.agent_name;
  parts.state.textContent = ` ${STATES[step.status]}`;
  parts.time.textContent = step.execution_time >= 0.05 ? `${step.execution_time.toFixed(1)} s` : "";
  parts.why.textContent = step.error || (step.reused ? "앞서 찾은 결과" : "");
  parts.why.hidden = !parts.why.textContent;
  const going = step.status === "in_progress" && step.progress_percentage > 0 && step.progress_percentage < 100;
  parts.bar.hidden = !going;
  parts.bar.firstChild.style.width = `${step.progress_percentage || 0}%`;
  parts.skip.hidden = step.status !== "pending" || !running();
  return parts.node;
}

let planned = null;

function showPlan() {
  const turn = [...known.turns.values()].reverse().find((one) => one.steps.length) || null;
  const busy = running();
  $("send").hidden = busy;
  $("cancel").hidden = !busy;
  const place = $("plan-body");
  if (!turn || turn !== planned) {
    stepNodes.clear();
    place.replaceChildren(turn ? el("ul", { className: "steps" }) : el("p", { className: "meta", textContent: "물어보시면 할 일이 여기에 차례로 나타납니다." }));
    planned = turn;
  }
  if (turn) {
    const nodes = turn.steps.map(showStep);
    const holder = place.firstChild;
    nodes.forEach((node, i) => { if (holder.children[i] !== node) holder.insertBefore(node, holder.children[i] || null); });
    while (holder.children.length > nodes.length) holder.lastChild.remove();
    while (place.children.length > 1) place.lastChild.remove();
    if (turn.reused) place.append(el("p", { className: "meta", textContent: turn.reused }));
    if (turn.estimate >= 0.5 && busy) place.append(el("p", { className: "meta", textContent: `예상 ${turn.estimate.toFixed(1)} s` }));
  }
  $("summary").textContent = summaryOf(current(), busy);
}

function summaryOf(turn, busy) {
  if (turn?.status === "interrupted") return "답을 기다리고 있습니다.";
  if (!busy || !turn) return "";
  const doing = turn.steps.find((step) => step.status === "in_progress");
  const done = turn.steps.filter((step) => ["completed", "failed", "skipped"].includes(step.status)).length;
  if (!turn.steps.length) return turn.doing || "보내는 중입니다.";
  return `${done}/${turn.steps.length} · ${doing ? `${doing.task} 중` : "정리하는 중"}`;
}

let flashing = 0;

function flash(text, stay = false) {
  clearTimeout(flashing);
  $("line").textContent = text || "";
  $("line").hidden = !text;
  if (text && !stay) flashing = setTimeout(() => flash(""), 5000);
}

function welcome() {
  const cards = known.assistants.map((one) => el("button", { className: "card", type: "button", onclick: () => begin(one.name) },
    el("strong", { textContent: one.title }), el("span", { textContent: one.description || one.greeting || one.examples[0] || one.name })));
  $("title").textContent = "마당";
  document.title = "마당";
  $("conversation").replaceChildren(el("section", { className: "welcome" }, el("h2", { textContent: "누구에게 물어볼까요?" }),
    el("p", { textContent: cards.length ? "대화를 시작할 도우미를 고르세요." : "열린 도우미가 없습니다." }), el("div", { className: "choices" }, cards)));
}

function greet(assistant) {
  const parts = [el("h2", { textContent: assistant?.title || known.session.assistant || "" })];
  if (assistant?.greeting || assistant?.description) parts.push(el("p", { textContent: assistant.greeting || assistant.description }));
  if (assistant?.examples?.length) parts.push(chips(assistant.examples.slice(0, 4), (text) => say(text)));
  $("conversation").replaceChildren(el("section", { className: "welcome" }, parts));
}

// --- the server ---

async function call(path, { method = "GET", body, raw = false } = {}) {
  const headers = {};
  const key = sessionStorage.getItem("key");
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (answer.status === 401) {
    await askKey();
    return call(path, { method, body, raw });
  }
  if (raw) return answer;
  if (!answer.ok) throw Object.assign(new Error((await answer.json().catch(() => ({}))).detail || answer.statusText), { status: answer.status });
  return answer.status === 204 ? null : answer.json();
}

let asking = null;

function askKey() {
  asking ||= new Promise((resolve) => {
    const dialog = $("key-dialog");
    dialog.addEventListener("close", () => {
      sessionStorage.setItem("key", $("key").value.trim());
      $("key").value = "";
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

async function framesSince(id, after) {
  const answer = await call(`/sessions/${encodeURIComponent(id)}/events?follow=false&after=${after}`, { raw: true });
  return (await answer.text()).split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)));
}

// The events of the last turn, whole: further back until its beginning is among them.
async function recent(id, last) {
  for (let back = 200; ; back *= 4) {
    const after = Math.max(0, last - back);
    const frames = await framesSince(id, after);
    const newest = frames.at(-1)?.request_id;
    if (!after || !newest || frames.some((one) => one.request_id === newest && one.type === "planning_start")) return { after, frames };
  }
}

async function open(id) {
  closeSocket();
  known.turns.clear();
  planned = null;
  known.reply = null;
  $("conversation").replaceChildren(el("p", { className: "notice", textContent: "불러오는 중입니다." }));
  let session, messages, tail;
  try {
    session = await call(`/sessions/${encodeURIComponent(id)}`);
    messages = (await call(`/sessions/${encodeURIComponent(id)}/messages?latest=true&limit=200`)).items;
    tail = await recent(id, session.last_seq);
  } catch (error) {
    location.hash = "";
    return flash(error.status === 404 ? "대화를 찾을 수 없습니다." : error.message);
  }
  known.session = session;
  known.last = tail.after;
  const assistant = known.assistants.find((one) => one.name === session.assistant);
  $("title").textContent = session.title || assistant?.title || session.assistant;
  document.title = `${$("title").textContent} · 마당`;
  $("conversation").replaceChildren();
  messages.forEach(applyMessage);
  const texts = new Map([...known.turns.values()].map((turn) => [turn.id, turn]));
  tail.frames.forEach((frame) => {
    // A message that is whole needs no tokens; its steps and questions still come from its events.
    if (frame.type === "token" && texts.get(frame.request_id)?.status === "completed") known.last = frame.seq;
    else applyFrame(frame);
  });
  known.turns.forEach(later);
  if (!known.turns.size) greet(assistant);
  showPlan();
  connect();
  markSessions();
  $("question").focus({ preventScroll: true });
  if (known.first) {
    $("question").value = "";
    say(known.first);
    known.first = null;
  }
  requestAnimationFrame(() => { $("conversation").scrollTop = $("conversation").scrollHeight; });
}

function closeSocket() {
  const socket = known.socket;
  known.socket = null;
  clearTimeout(known.again);
  if (socket) socket.close();
}

function connect() {
  const { session_id: id } = known.session;
  const key = sessionStorage.getItem("key");
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${encodeURIComponent(id)}?after=${known.last}`;
  const socket = new WebSocket(address, key ? ["madang", `madang.bearer.${key}`] : ["madang"]);
  known.socket = socket;
  socket.onmessage = (event) => {
    if (known.socket !== socket) return;
    const frame = JSON.parse(event.data);
    if (frame.type === "connected") {
      known.tries = 0;
      flash("");
      // A question that the break swallowed is asked again; the server knows its request_id if it had arrived.
      known.turns.forEach((turn) => { if (turn.status === "sending" && turn.outgoing) known.unsent.push(turn.outgoing); });
      [...new Set(known.unsent.splice(0))].forEach((one) => socket.send(JSON.stringify(one)));
    }
    applyFrame(frame);
  };
  socket.onclose = (event) => {
    if (known.socket !== socket) return;
    if (event.code === 4004) return gone();
    if (event.code === 4401) return askKey().then(connect);
    flash("연결이 끊겨 다시 잇고 있습니다.", true);
    known.again = setTimeout(connect, Math.min(8000, 300 * 2 ** known.tries++));
  };
}

function gone() {
  known.socket = null;
  location.hash = "";
  flash("이 대화는 이제 없습니다.");
  listSessions();
}

function transmit(frame) {
  if (known.socket?.readyState === WebSocket.OPEN) known.socket.send(JSON.stringify(frame));
  else known.unsent.push(frame);
}

async function begin(assistant) {
  try {
    const made = await call("/sessions", { method: "POST", body: { assistant } });
    location.hash = `#/s/${encodeURIComponent(made.session_id)}`;
    closePanels();
    listSessions();
  } catch (error) {
    flash(error.message);
  }
}

function newId() {
  return crypto.randomUUID?.() || Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
}

async function say(text) {
  if (!known.session) return;
  const id = newId();
  const waiting = current()?.status === "interrupted" ? current() : null;
  if (waiting) {
    known.reply = { id, text, old: waiting.id };
    waiting.asked.push(text);
    waiting.interrupts = [];
    waiting.status = "sending";
    later(waiting);
  } else {
    const turn = turnOf(id);
    turn.asked.push(text);
    turn.status = "sending";
    later(turn);
  }
  const frame = { type: "query", query: text, request_id: id };
  if (!waiting) turnOf(id).outgoing = frame;
  transmit(frame);
  const untitled = !known.session.title;
  if (untitled) {
    known.session.title = text.slice(0, 60);
    $("title").textContent = known.session.title;
    await call(`/sessions/${encodeURIComponent(known.session.session_id)}`, { method: "PATCH", body: { title: known.session.title } }).catch(() => null);
    listSessions();
  }
}

// --- the list of conversations ---

let listing = 0;

function listSoon() {
  clearTimeout(listing);
  listing = setTimeout(() => listSessions(), 400);
}

async function listSessions(more = false) {
  const search = $("find").value.trim();
  const query = new URLSearchParams({ limit: 40, ...(search && { search }), ...(more && known.cursor && { cursor: known.cursor }) });
  const page = await call(`/sessions?${query}`).catch((error) => flash(error.message));
  if (!page) return;
  known.sessions = more ? [...known.sessions, ...page.items] : page.items;
  known.cursor = page.next_cursor;
  $("more").hidden = !known.cursor;
  markSessions();
}

function dayOf(text) {
  const day = new Date(text), today = new Date();
  const days = Math.round((new Date(today.toDateString()) - new Date(day.toDateString())) / 86_400_000);
  return days <= 0 ? "오늘" : days === 1 ? "어제" : days < 7 ? "이번 주" : day.toLocaleDateString("ko-KR", { year: "numeric", month: "long" });
}

function markSessions() {
  let day = "";
  const rows = [];
  for (const session of known.sessions) {
    if (dayOf(session.updated_at) !== day) rows.push(el("li", { className: "day", textContent: (day = dayOf(session.updated_at)) }));
    const name = session.title || session.last_message || known.assistants.find((one) => one.name === session.assistant)?.title || session.assistant || "대화";
    rows.push(el("li", { className: "row" },
      el("button", { className: "open", type: "button", "aria-current": session.session_id === known.session?.session_id ? "true" : null,
        onclick: () => { location.hash = `#/s/${encodeURIComponent(session.session_id)}`; closePanels(); } }, name),
      el("button", { className: "icon-button remove", type: "button", "aria-label": `지우기: ${name}`, onclick: () => remove(session, name) }, "✕")));
  }
  $("session-list").replaceChildren(...(rows.length ? rows : [el("li", { className: "day", textContent: "아직 대화가 없습니다." })]));
}

async function remove(session, name) {
  if (!confirm(`‘${name}’ 대화를 지울까요? 되돌릴 수 없습니다.`)) return;
  await call(`/sessions/${encodeURIComponent(session.session_id)}`, { method: "DELETE" }).catch((error) => flash(error.message));
  if (known.session?.session_id === session.session_id) location.hash = "";
  listSessions();
}

// --- the page itself ---

function closePanels() {
  document.querySelectorAll(".side.open").forEach((panel) => panel.classList.remove("open"));
}

function route() {
  const id = /^#\/s\/(.+)$/.exec(location.hash)?.[1];
  if (id) return open(decodeURIComponent(id));
  closeSocket();
  Object.assign(known, { session: null, reply: null });
  known.turns.clear();
  welcome();
  showPlan();
  markSessions();
}

function grow() {
  const field = $("question");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("question").value.trim();
  if (!text || running()) return;
  if (!known.session && known.assistants.length !== 1) return flash("먼저 도우미를 골라 주세요.");
  if (!known.session) {
    known.first = text;
    begin(known.assistants[0].name);
    return;
  }
  $("question").value = "";
  grow();
  say(text);
});
$("question").addEventListener("input", grow);
$("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("ask").requestSubmit();
  }
});
$("cancel").addEventListener("click", () => transmit({ type: "cancel" }));
$("new").addEventListener("click", () => { location.hash = ""; closePanels(); });
$("more").addEventListener("click", () => listSessions(true));
$("find").addEventListener("input", () => listSoon());
$("open-sessions").addEventListener("click", () => { $("sessions").classList.add("open"); $("new").focus(); });
$("open-plan").addEventListener("click", () => { $("plan").classList.add("open"); $("plan").querySelector("[data-close]").focus(); });
document.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", closePanels));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closePanels();
  if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
    event.preventDefault();
    $("question").focus();
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".side, .phone")) closePanels();
});
addEventListener("hashchange", route);
addEventListener("offline", () => flash("인터넷이 끊겼습니다.", true));

try {
  known.assistants = await call("/assistants");
} catch (error) {
  flash(`서버에 닿지 못했습니다: ${error.message}`, true);
}
await listSessions();
route();
