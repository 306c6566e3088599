// The page: a client of the REST routes and the socket, nothing else. Text of others never becomes markup: every node is
// made by `el` or `svg`, every text set as text, every link one of http(s).

const $ = (id) => document.getElementById(id);
const MARKS = { pending: "○", in_progress: "◐", completed: "✓", failed: "✕", skipped: "–" };
const STATES = { pending: "기다림", in_progress: "하는 중", completed: "마침", failed: "실패", skipped: "건너뜀" };
const OVER = ["completed", "failed", "skipped"];
const ENDS = { response: "completed", workflow_interrupted: "interrupted", error: "failed", cancelled: "cancelled" };
const UNANSWERED = { failed: "답을 마치지 못했습니다.", cancelled: "취소한 질문입니다." };
const LOST = "연결이 끊겼습니다, 다시 잇는 중 …";
const REFUSED = {
  401: "열쇠가 맞지 않습니다.", 403: "허락되지 않은 일입니다.", 404: "찾을 수 없습니다.", 409: "지금은 할 수 없습니다.", 413: "너무 깁니다.",
  429: "요청이 너무 잦습니다. 잠시 뒤에 다시 해 주세요.", 500: "서버에 문제가 생겼습니다.", 503: "서버가 아직 준비되지 않았습니다.",
};

// What is known, in one place; everything shown follows from it.
const known = {
  ready: false, assistants: [], sessions: [], nextSessions: null, session: null, opening: 0, starting: false, eager: false, waiting: [],
  turns: new Map(), messages: new Set(), nextMessages: null, last: 0,
  socket: null, tries: 0, again: 0, caughtUp: null, reply: null, cancelling: false,
};

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

function svg(tag, attributes = {}, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

const button = (className, label, onclick, more = {}) => el("button", { className, type: "button", onclick, ...more }, label);

// A second click finds the button, and those beside it, out of use.
const once = (act) => ({ currentTarget }) => {
  for (const one of currentTarget.parentNode.querySelectorAll("button")) one.disabled = true;
  act();
};

// Puts new nodes in place of old ones, but leaves those that are the same: what is selected or focused there stays so.
function patch(place, fresh) {
  fresh.forEach((node, i) => {
    const old = place.childNodes[i];
    if (!old) place.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  });
  while (place.childNodes.length > fresh.length) place.lastChild.remove();
}

// --- Markdown, the part that answers use ---

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*([^*\s][^*]*?)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>)]*[^\s<>).,])/g;
const ITEM = /^(\s*)(?:[-*•]|(\d+)[.)])\s+(.*)/;
const RULE = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function inline(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(from, found.index), inlineNode(found));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

function inlineNode([, , code, strong, weak, label, target, bare]) {
  if (code !== undefined) return el("code", { textContent: code });
  if (strong !== undefined) return el("strong", {}, inline(strong));
  if (weak !== undefined) return el("em", {}, inline(weak));
  return el("a", { href: target || bare, rel: "noopener noreferrer", target: "_blank", textContent: label || bare });
}

function markdown(text) {
  const lines = String(text).replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const [taken, node] = block(lines, at);
    at += taken;
    if (node) blocks.push(node);
  }
  return blocks;
}

const run = (lines, from, pattern) => {
  let to = from;
  while (to < lines.length && pattern.test(lines[to])) to += 1;
  return lines.slice(from, to);
};

// One block that begins at a line: how many lines it takes, and its node.
function block(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [1, null];
  if (/^\s*```/.test(line)) {
    const code = run(lines, at + 1, /^(?!\s*```)/);
    return [code.length + 2, el("pre", { tabIndex: 0 }, el("code", { textContent: code.join("\n") }))];
  }
  const heading = /^(#{1,6})\s+(.*)/.exec(line);
  if (heading) return [1, el(`h${Math.min(6, heading[1].length + 1)}`, {}, inline(heading[2]))];
  if (/^\s*(-{3,}|\*{3,})\s*$/.test(line)) return [1, el("hr")];
  if (/^>/.test(line)) {
    const quoted = run(lines, at, /^>/);
    return [quoted.length, el("blockquote", {}, markdown(quoted.map((one) => one.replace(/^>\s?/, "")).join("\n")))];
  }
  if (/^\s*\|/.test(line) && RULE.test(lines[at + 1] ?? "")) {
    const rows = run(lines, at, /^\s*\|/);
    return [rows.length, table(cellsOf(rows[0]), rows.slice(2).map(cellsOf))];
  }
  if (ITEM.test(line)) {
    const items = run(lines, at, /^\s*([-*•]|\d+[.)])\s+|^\s{2,}\S/);
    return [items.length, list(items)];
  }
  const words = [line, ...run(lines, at + 1, /^(?!\s*$|#{1,6}\s|\s*```|>|\s*\||\s*([-*•]|\d+[.)])\s)/)];
  return [words.length, el("p", {}, words.flatMap((one, i) => (i ? [el("br"), ...inline(one)] : inline(one))))];
}

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));

function list(lines) {
  const [, margin, start] = ITEM.exec(lines[0]);
  const items = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1].length < margin.length + 2) items.push({ text: found[3], inner: [] });
    else items.at(-1).inner.push(line.slice(margin.length).replace(/^\s{2,4}/, ""));
  }
  const nodes = items.map((item) => el("li", {}, inline(item.text), item.inner.length ? markdown(item.inner.join("\n")) : null));
  return start ? el("ol", { start: Number(start) }, nodes) : el("ul", {}, nodes);
}

const unmarked = (text) => String(text).replace(/[*`#|>]+/g, " ").replace(/\s+/g, " ").trim();

// --- tables and charts ---

const plain = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);
const isNumber = (text) => /^[-+₩]?[\d,]+(\.\d+)?\s*(원|만원|억원|억|%|%p|명|박|일|㎡|건|회|개)?$|^[-+]?\d[\d,]*억(\s*[\d,]+만)?원?$/.test(String(text).trim());

function shown(value, unit = "") {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "예" : "아니요";
  if (typeof value !== "number") return String(value);
  if (unit === "비율") return `${(value * 100).toFixed(1)}%`;
  return value.toLocaleString("ko-KR", { maximumFractionDigits: 2 });
}

function table(columns, rows) {
  const kinds = columns.map((_, i) => {
    const values = rows.map((row) => String(row[i] ?? ""));
    if (values.some(isNumber) && values.every((text) => isNumber(text) || text === "")) return "number";
    return values.every((text) => text.length <= 16) ? "short" : "";
  });
  const cells = (tag, row) => columns.map((_, i) => el(tag, { className: kinds[i], scope: tag === "th" ? "col" : null }, inline(String(row[i] ?? ""))));
  const body = rows.map((row) => el("tr", {}, cells("td", row)));
  return el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "표" },
    el("table", {}, el("thead", {}, el("tr", {}, cells("th", columns))), el("tbody", {}, body)));
}

// Rows as a table, if they have names that people read: labelled columns, or keys in Korean.
function records(rows, columns = null) {
  if (!Array.isArray(rows) || !rows.length || rows.some((row) => !row || typeof row !== "object")) return null;
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => plain(row[key]) && /[가-힣]/.test(key))))];
  const named = columns ?? keys.map((name) => ({ name, label: name, unit: "" }));
  if (!named.length) return null;
  return table(named.map((one) => one.label), rows.slice(0, 100).map((row) => named.map((one) => shown(row[one.name], one.unit))));
}

// The forms in which assistants give figures, as one: labels, series with names, a unit.
function chartData(given) {
  const data = given.data ?? given;
  const unit = data.unit ?? given.unit ?? (given.type && Array.isArray(data) ? "원" : "");
  if (Array.isArray(data)) return { labels: data.map((one) => one.label), series: [{ name: "", values: data.map((one) => one.value) }], unit };
  const series = data.series ?? (Array.isArray(data.values) ? [{ name: "", values: data.values }] : []);
  return { labels: data.labels ?? [], series, unit };
}

function chart(given, title = given.title) {
  const { labels, series, unit } = chartData(given);
  const values = series.flatMap((one) => one.values ?? []);
  if (!labels.length || !values.length || !values.every(Number.isFinite) || values.every((value) => value === 0)) return null;
  const drawing = (/line/.test(given.type || "") ? lineChart : barChart)(labels, series, unit);
  const said = series.map((one) => `${one.name} ${labels.map((label, i) => `${label} ${compact(one.values[i], unit)}`).join(", ")}`);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", [title, ...said].join(". "));
  return el("figure", {}, el("figcaption", { textContent: title || "" }), drawing, given.note ? el("p", { className: "meta", textContent: given.note }) : null);
}

function compact(value, unit) {
  const size = Math.abs(value);
  if (unit === "비율" || (unit === "%" && size <= 1)) return `${(value * 100).toFixed(1)}%`;
  if (unit !== "원") return shown(value) + unit;
  if (size >= 1e8) return `${shown(value / 1e8)}억`;
  return size >= 1e4 ? `${Math.round(value / 1e4).toLocaleString()}만` : `${shown(value)}원`;
}

// Drawn at the width it will have, so that its words keep their size on a phone.
const chartWidth = () => Math.max(240, Math.min(690, $("conversation").clientWidth - 60));

function barChart(labels, series, unit) {
  const row = 24, gap = series.length > 1 ? 12 : 2, width = chartWidth();
  const left = Math.min(width * 0.34, Math.max(...labels.map((label) => String(label).length)) * 12 + 14);
  const letters = Math.floor((left - 14) / 12 + 0.5), room = width - left - (series.length > 1 ? 110 : 74);
  const most = Math.max(...series.flatMap((one) => one.values.map(Math.abs)));
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${labels.length * (row * series.length + gap) + 4}` });
  labels.forEach((label, i) => {
    const top = i * (row * series.length + gap) + 2;
    const name = String(label).length > letters ? `${String(label).slice(0, letters - 1)}…` : label;
    drawing.append(svg("text", { x: left - 8, y: top + 14 + ((series.length - 1) * row) / 2, "text-anchor": "end" }, name));
    series.forEach((one, n) => {
      const y = top + n * row, value = one.values[i], length = Math.max(1, (Math.abs(value) / most) * room);
      drawing.append(svg("rect", { x: left, y, width: length, height: row - 6, rx: 3, class: value < 0 ? "s4" : `s${(n % 5) + 1}` }));
      drawing.append(svg("text", { x: left + length + 6, y: y + 14 }, `${one.name} ${compact(value, unit)}`.trim()));
    });
  });
  return drawing;
}

function lineChart(labels, series, unit) {
  const width = chartWidth(), height = 210, left = 36, bottom = 28, top = 26;
  const all = series.flatMap((one) => one.values);
  const spread = Math.max(...all) - Math.min(...all) || Math.abs(all[0]) || 1;
  const low = Math.min(...all) - spread * 0.2, high = Math.max(...all);
  const x = (i) => left + (labels.length > 1 ? (i / (labels.length - 1)) * (width - left * 2) : (width - left * 2) / 2);
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - bottom - top);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}` });
  drawing.append(svg("line", { x1: left, x2: width - left, y1: y(low), y2: y(low), class: "axis" }));
  const every = Math.ceil(labels.length / Math.max(2, Math.floor((width - left) / 76)));
  labels.forEach((label, i) => {
    const room = i === labels.length - 1 || (i % every === 0 && labels.length - 1 - i >= every);
    if (room) drawing.append(svg("text", { x: x(i), y: height - 8, "text-anchor": "middle" }, label));
  });
  series.forEach((one, n) => drawing.append(...lineSeries(one, n, x, y, unit)));
  return drawing;
}

// A line with its ends, its highest and its lowest point labelled.
function lineSeries({ name, values }, n, x, y, unit) {
  const last = values.length - 1;
  const told = new Set([0, last, values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values))]);
  const labels = values.flatMap((value, i) => {
    const words = `${i === last ? `${name} ` : ""}${compact(value, unit)}`.trim();
    return told.has(i) ? [svg("text", { x: x(i), y: y(value) - 9, "text-anchor": i === last ? "end" : i ? "middle" : "start", class: "on-line" }, words)] : [];
  });
  const dots = values.map((value, i) => svg("circle", { cx: x(i), cy: y(value), r: 3, class: `s${(n % 5) + 1}` }));
  return [svg("polyline", { points: values.map((value, i) => `${x(i)},${y(value)}`).join(" "), class: `stroke k${(n % 5) + 1}` }), ...dots, ...labels];
}

// --- what comes with an answer: charts, tables, documents, sources, choices ---

function extras(turn, last) {
  const data = turn.data;
  if (!data || typeof data !== "object") return [];
  const sections = Array.isArray(data.sections) ? data.sections : [];
  const charts = [...(data.visualizations || []), ...(data.charts || [])].map((one) => chart(one));
  const tables = [records(data.table), ...(data.tables || []).map((one) => records(one.rows || one, one.columns))];
  const documents = [data.document, ...sections.filter((one) => one.type === "document")].filter((one) => one?.document_id);
  return [
    ...charts, ...sections.filter((one) => one.chart).map((one) => chart(one.chart, one.title)), ...tables,
    ...(data.files || []).map((file) => el("p", {}, button("outlined", `↓ ${file.filename}`, () => saveText(file)))),
    ...documents.map(documentCard),
    sources(turn, data.metadata?.sources),
    last && Array.isArray(data.choices) && data.choices.length ? chips(data.choices, say) : null,
  ].filter(Boolean);
}

function documentCard(given) {
  const formats = given.formats?.length ? given.formats : ["docx", "md", "html", "pdf"];
  return el("section", { className: "sheet" }, el("h3", { textContent: given.title || "문서" }),
    el("div", { className: "buttons" }, formats.map((format) =>
      button("outlined", `↓ ${format.toUpperCase()}`, () => saveDocument(given, format), { "aria-label": `${given.title || "문서"} ${format} 받기` }))));
}

function save(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const saveText = (file) => save(new Blob([file.content], { type: file.media_type || "text/plain" }), file.filename);

async function saveDocument(given, format) {
  try {
    const answer = await request(`/documents/${encodeURIComponent(given.document_id)}?format=${format}`);
    save(await answer.blob(), `${given.title || given.document_id}.${format}`);
  } catch (error) {
    flash(error.status === 404 ? `${format} 형식이 없습니다.` : error.message);
  }
}

function chips(choices, pick) {
  return el("div", { className: "chips" }, choices.map((choice) => {
    const label = plain(choice) ? String(choice) : String(choice.label ?? choice.value ?? JSON.stringify(choice));
    return button("chip", label, once(() => pick(plain(choice) ? String(choice) : choice.value ?? label)));
  }));
}

function sources(turn, listed) {
  if (!Array.isArray(listed) || !listed.length) return null;
  const items = listed.map((source) => {
    const given = typeof source === "string" ? { title: source } : source;
    const name = String(given.title || given.name || given.source || given.tool || JSON.stringify(source));
    const when = given.as_of || given.effective_date || given.date;
    const body = el("div", { className: "source-body" }, el("p", { className: "meta", textContent: "찾는 중입니다." }));
    const open = async (event) => {
      if (!event.target.open || body.dataset.found) return;
      body.dataset.found = "yes";
      body.replaceChildren(...sourceBody(await supports(turn, name), given));
    };
    return el("li", {}, el("details", { ontoggle: open }, el("summary", {}, name, when ? el("span", { className: "label", textContent: when }) : null), body));
  });
  return el("section", { className: "sources" }, el("strong", { textContent: "근거" }), el("ol", {}, items));
}

function sourceBody(found, given) {
  if (!found) return [el("p", { textContent: given.content || given.description || "이 답에 남은 설명은 이름뿐입니다." })];
  const text = found.content || found.details || found.summary || "";
  const facts = [
    found.title && found.title !== text ? found.title : "", found.effective_date || found.as_of ? `${found.effective_date || found.as_of} 기준` : "",
    found.is_statute_text === false ? "요약" : found.is_statute_text ? "원문" : "", found.agent ? `작업 ${found.agent}` : "", found.tool ? `도구 ${found.tool}` : "",
  ].filter(Boolean);
  return [facts.length ? el("p", { className: "meta", textContent: facts.join(" · ") }) : null, ...markdown(text),
    found.conditions?.length ? el("ul", {}, found.conditions.map((one) => el("li", {}, inline(String(one))))) : null].filter(Boolean);
}

// What a source's name stands for: looked up in the answer's own data, then in the state as that turn left it.
async function supports(turn, name) {
  const own = lookUp(turn.data?.sections, name);
  if (own) return own;
  try {
    const id = encodeURIComponent(known.session.session_id);
    const history = (await call(`/sessions/${id}/history?limit=200`)).items;
    const at = history.find((one) => one.request_id === turn.id)?.checkpoint_id;
    const { state } = await call(`/sessions/${id}/state${at ? `?checkpoint_id=${encodeURIComponent(at)}` : ""}`);
    return lookUp(state, name);
  } catch {
    return null;
  }
}

function lookUp(value, name, depth = 0) {
  if (!value || typeof value !== "object" || depth > 8) return null;
  if (!Array.isArray(value)) {
    const own = [value.source, value.citation, value.law_name && `${value.law_name} ${value.article}`];
    const about = value.content || value.details || value.tool;
    if (about && own.some((one) => typeof one === "string" && one.length > 2 && (one === name || name.startsWith(one)))) return value;
  }
  for (const inner of Object.values(value)) {
    const found = lookUp(inner, name, depth + 1);
    if (found) return found;
  }
  return null;
}

// --- turns: what messages and events make of them ---

function turnOf(id) {
  if (!known.turns.has(id)) {
    const before = current();
    known.turns.set(id, { id, said: [], steps: [], text: "", data: null, status: "", interrupts: [], note: "", doing: "", place: null });
    if (before) later(before);
  }
  return known.turns.get(id);
}

const current = () => [...known.turns.values()].at(-1);
const isOpen = (turn) => ["running", "sending", "queued"].includes(turn?.status);
const running = () => [...known.turns.values()].some(isOpen);

// What was said goes where its time puts it; what has no time yet was said just now.
function addSaid(turn, part) {
  const at = part.at ? turn.said.findIndex((one) => one.at && one.at > part.at) : -1;
  turn.said.splice(at < 0 ? turn.said.length : at, 0, part);
}

function applyMessage(message) {
  if (known.messages.has(message.id)) return;
  known.messages.add(message.id);
  const turn = turnOf(message.request_id || `message ${message.id}`);
  turn.run = message.run_id ?? turn.run;
  if (message.role === "user") {
    const own = turn.said.find((one) => one.user === message.content && !one.at);
    if (own) own.at = message.created_at;
    else addSaid(turn, { user: message.content, at: message.created_at });
  } else if (message.role === "assistant" && !isOpen(turn)) {
    const cancelled = Boolean(message.structured_data?.cancelled);
    Object.assign(turn, { text: message.content, data: message.structured_data, status: cancelled ? "cancelled" : "completed" });
  }
  later(turn);
}

function applyFrame(frame) {
  if (frame.seq === null) return applyOwnFrame(frame);
  if (frame.seq <= known.last) return;
  known.last = frame.seq;
  settleReply(frame.request_id);
  const unheard = !known.turns.has(frame.request_id);
  const turn = turnOf(frame.request_id);
  if (unheard || (turn.status === "interrupted" && !ENDS[frame.type])) messagesSoon();
  if (frame.execution_steps) turn.steps = stepsAfter(turn.steps, frame.execution_steps);
  APPLY[frame.type]?.(turn, frame);
  turn.sent = null;
  if (!(frame.type in ENDS)) turn.status = "running";
  if (frame.type !== "workflow_interrupted") turn.interrupts = [];
  if (frame.type in ENDS) end(turn, frame);
  later(turn);
}

// Progress that was shown is never taken back while the step goes on.
function stepsAfter(before, given) {
  const reached = new Map(before.map((step) => [step.step_id, step.progress_percentage || 0]));
  return given.map((step) => (step.status === "in_progress"
    ? { ...step, progress_percentage: Math.max(step.progress_percentage || 0, reached.get(step.step_id) || 0) } : step));
}

const APPLY = {
  planning_start: (turn, frame) => { turn.doing = frame.message; },
  plan_ready: (turn, frame) => Object.assign(turn, { estimate: frame.estimated_total_time, doing: `할 일 ${frame.execution_steps.length}가지를 하고 있습니다.` }),
  data_reuse_notification: (turn, frame) => { turn.reused = frame.message; },
  token: (turn, frame) => Object.assign(turn, { text: (turn.streamed && !frame.restart ? turn.text : "") + frame.text, streamed: true }),
  response: (turn, frame) => Object.assign(turn, { text: frame.answer, data: frame.structured_data }),
  workflow_interrupted: (turn, frame) => {
    turn.interrupts = frame.interrupts;
    frame.interrupts.forEach((one) => addSaid(turn, { question: one, at: frame.timestamp }));
  },
  error: (turn, frame) => Object.assign(turn, { note: frame.message, bad: true }),
  cancelled: (turn, frame) => { turn.note = frame.message; },
};

function end(turn, frame) {
  Object.assign(turn, { status: ENDS[frame.type], streamed: false, ended: true });
  known.cancelling = false;
  const words = frame.answer || frame.message || frame.interrupts?.map((one) => one.question).join(" ") || "";
  if (known.caughtUp) speak(unmarked(words).slice(0, 300));
  listSoon();
}

// Frames for this socket only: how things stand, and what was wrong with what we sent.
function applyOwnFrame(frame) {
  if (frame.type === "connected") {
    known.caughtUp = frame;
    return catchUp();
  }
  known.cancelling = false;
  const turn = known.turns.get(frame.request_id) || [...known.turns.values()].find((one) => one.status === "sending");
  if (turn?.status !== "sending") return flash(refusal(frame.error, frame.message));
  Object.assign(turn, { status: turn.steps.length ? "interrupted" : "failed", sent: null, note: refusal(frame.error, frame.message), bad: true });
  later(turn);
}

const refusal = (code, message) => ({
  not_found: "이미 답했거나 지나간 질문입니다.", conflict: "지금은 할 수 없습니다.", session_busy: "다른 답을 하고 있습니다.", rate_limited: REFUSED[429],
})[code] || message || REFUSED[500];

// A text typed while something is asked answers it, or begins a new turn: the server decides, and its frames tell.
function settleReply(id) {
  const reply = known.reply;
  if (!reply || (id !== reply.id && id !== reply.old)) return;
  known.reply = null;
  if (id === reply.old) return;
  const old = turnOf(reply.old);
  old.said = old.said.filter((one) => one !== reply.part);
  Object.assign(old, { status: "cancelled", sent: null });
  later(old);
  addSaid(turnOf(id), reply.part);
}

// --- showing a turn ---

const stale = new Set();

function later(turn) {
  if (!stale.size) requestAnimationFrame(showStale);
  stale.add(turn);
}

function showStale() {
  const place = $("conversation");
  const near = place.scrollHeight - place.scrollTop - place.clientHeight < 120;
  const shownNow = [...stale].filter((turn) => known.turns.get(turn.id) === turn);
  stale.clear();
  shownNow.forEach(showTurn);
  showPlan();
  if (near) place.scrollTop = place.scrollHeight;
  const ended = shownNow.find((turn) => turn.ended);
  if (!ended) return;
  ended.ended = false;
  // A long answer is read from its beginning.
  if (near && ended.place.article.offsetHeight > place.clientHeight) ended.place.article.scrollIntoView({ block: "start" });
}

function showTurn(turn) {
  const place = placeOf(turn), last = turn === current(), open = isOpen(turn);
  place.answer.classList.toggle("streaming", turn.status === "running" && Boolean(turn.text));
  refresh(place.said, [turn.said, turn.interrupts], () => turn.said.map((part) => saidNode(turn, part)));
  refresh(place.answer, [turn.text, open, last, turn.data], () => [...markdown(turn.text), ...(open ? [] : extras(turn, last))]);
  refresh(place.note, [turn.note, turn.status, turn.doing, turn.text === "", running()], () => noteNodes(turn));
  refresh(place.cards, turn.interrupts, () => turn.interrupts.map((one) => (one.kind === "approval" ? approval(turn, one) : question(turn, one))));
}

function placeOf(turn) {
  if (turn.place) return turn.place;
  const parts = { said: el("div"), answer: el("div", { className: "answer" }), note: el("div"), cards: el("div") };
  const article = el("article", { className: "turn" }, Object.values(parts));
  $("conversation").querySelector(".welcome")?.remove();
  const index = [...known.turns.values()].indexOf(turn);
  const next = [...known.turns.values()].slice(index + 1).find((one) => one.place);
  $("conversation").insertBefore(article, next?.place.article ?? null);
  turn.place = { article, ...parts };
  return turn.place;
}

const drawn = new WeakMap();

function refresh(node, given, make) {
  const key = JSON.stringify(given);
  if (drawn.get(node) === key) return;
  drawn.set(node, key);
  patch(node, make());
}

// A question that waits is a card below; one that was answered stays as what was asked.
function saidNode(turn, part) {
  if (part.user !== undefined) return el("div", { className: "asked", textContent: part.user });
  const waits = turn.interrupts.some((one) => one.interrupt_id === part.question.interrupt_id);
  return el("div", { className: "before", hidden: waits }, markdown(questionText(part.question)));
}

function noteNodes(turn) {
  const waiting = turn.status === "sending" || turn.status === "queued";
  const another = waiting && [...known.turns.values()].some((one) => one !== turn && isOpen(one));
  const doing = another ? "앞의 답이 끝나면 이어서 답합니다." : isOpen(turn) && !turn.text ? turn.doing || "보내는 중입니다." : "";
  const left = !turn.text && !turn.note && !turn.interrupts.length ? UNANSWERED[turn.status] : "";
  return [
    doing ? el("p", { className: "notice", textContent: doing }) : null,
    turn.note || left ? el("p", { className: `notice${turn.bad ? " bad" : ""}`, textContent: turn.note || left }) : null,
    turn.status === "failed" && turn === current() ? button("outlined", "다시 묻기", once(() => say(turn.said.findLast((one) => one.user)?.user || ""))) : null,
  ].filter(Boolean);
}

// --- questions and approvals ---

// A draft that is repeated in its question is shown once, on its sheet.
function questionText(asked) {
  const text = String(asked.question || asked.value || "확인해 주세요");
  const draft = typeof asked.draft === "string" ? asked.draft : asked.draft?.markdown;
  return draft ? text.replace(draft.trim(), "").trim() : text;
}

function question(turn, asked) {
  const field = el("textarea", { rows: 2, "aria-label": "답", placeholder: "여기에 답해 주세요" });
  const send = (value) => answer(turn, asked, value, plain(value) ? String(value) : JSON.stringify(value));
  const submit = (event) => {
    event.preventDefault();
    if (field.value.trim()) send(field.value.trim());
  };
  field.addEventListener("keydown", (event) => { if (isSend(event)) submit(event); });
  return el("section", { className: "sheet", "aria-label": "질문" },
    el("div", { className: "asks" }, markdown(questionText(asked))), knownSoFar(asked.draft),
    asked.choices?.length ? chips(asked.choices, send) : null,
    el("form", { onsubmit: submit }, field, el("div", { className: "buttons" }, el("button", { className: "filled", type: "submit" }, "답하기"))));
}

// What a form has already, where the assistant shows it under names that people read.
function knownSoFar(draft) {
  if (!draft) return null;
  if (typeof draft === "string" || draft.markdown) return sheetOf(draft.markdown ?? draft);
  const named = Object.entries(draft).filter(([name, value]) => /[가-힣]/.test(name) && plain(value));
  return named.length ? records([Object.fromEntries(named)]) : null;
}

const sheetOf = (text) => el("div", { className: "draft", tabIndex: 0, role: "region", "aria-label": "초안" }, markdown(text));

function approval(turn, asked) {
  const draft = asked.draft ?? null;
  const changed = {};
  const note = el("textarea", { rows: 2, placeholder: "고칠 것이 있으면 적어 주세요. 예: 월세 65만원으로", "aria-label": "메모" });
  const decide = (decision, label) => () => {
    const words = [...Object.entries(changed).map(([name, value]) => `${name} ${value}`), note.value.trim()].filter(Boolean).join(", ");
    if (decision === "modify" && !words) {
      note.focus();
      return flash("무엇을 고칠지 적어 주세요.");
    }
    const value = { decision, note: words };
    if (decision === "modify" && Object.keys(changed).length) value.changes = changed;
    answer(turn, asked, value, words ? `${label}: ${words}` : label);
  };
  const text = typeof draft === "string" ? draft : draft?.markdown;
  return el("section", { className: "sheet", "aria-label": "승인" },
    el("div", { className: "asks" }, markdown(questionText(asked))),
    text ? sheetOf(text) : draft && typeof draft === "object" ? fields(draft, changed) : null,
    note,
    el("div", { className: "buttons" }, button("filled", "승인", decide("approve", "승인")),
      button("outlined", "수정해서 다시", decide("modify", "수정")), button("outlined warning", "거절", decide("reject", "거절"))));
}

function fields(draft, changed) {
  return el("div", { className: "fields" }, Object.entries(draft).flatMap(([name, value]) => {
    if (plain(value) && String(value ?? "").length < 200) return field(name, value, changed);
    const body = typeof value === "string" ? markdown(value) : records(value) || el("code", { textContent: JSON.stringify(value, null, 1) });
    return [el("span", { className: "name", textContent: name }), el("div", {}, body)];
  }));
}

function field(name, value, changed) {
  const id = `field-${newId()}`;
  const input = el("input", { id, value: value ?? "" });
  input.addEventListener("input", () => {
    const same = input.value === String(value ?? "");
    input.classList.toggle("changed", !same);
    if (same) delete changed[name];
    else changed[name] = typeof value === "number" && /^-?[\d,.]+$/.test(input.value) ? Number(input.value.replace(/,/g, "")) : input.value;
  });
  return [el("label", { htmlFor: id, textContent: name }), input];
}

function answer(turn, asked, value, words) {
  if (!turn.interrupts.includes(asked)) return;
  turn.interrupts = turn.interrupts.filter((one) => one.interrupt_id !== asked.interrupt_id);
  addSaid(turn, { user: words });
  turn.status = turn.interrupts.length ? "interrupted" : "sending";
  turn.sent = { type: "interrupt_response", interrupt_id: asked.interrupt_id, value };
  turn.asked = asked.interrupt_id;
  transmit(turn.sent);
  later(turn);
  $("question").focus({ preventScroll: true });
}

// --- the plan ---

const stepNodes = new Map();
let planned = null;

function showPlan() {
  const turn = [...known.turns.values()].reverse().find((one) => one.steps.length) || null;
  const busy = running(), place = $("plan-body");
  $("cancel").hidden = !busy;
  $("send").hidden = busy && !$("question").value.trim();
  if (turn !== planned || !turn) {
    stepNodes.clear();
    place.replaceChildren(turn ? el("ul", { className: "steps" }) : el("p", { className: "meta", textContent: "물어보시면 할 일이 여기에 차례로 나타납니다." }));
    planned = turn;
  }
  if (turn) showSteps(turn, place);
  $("question").placeholder = current()?.status === "interrupted" ? "위 질문에 답하거나 새로 물어보세요 …" : "무엇이든 물어보세요 …";
  const line = summaryOf(current(), busy);
  if ($("summary").textContent !== line) $("summary").textContent = line;
}

function showSteps(turn, place) {
  const holder = place.firstChild, nodes = turn.steps.map((step) => showStep(step, isOpen(turn)));
  nodes.forEach((node, i) => { if (holder.children[i] !== node) holder.insertBefore(node, holder.children[i] || null); });
  while (holder.children.length > nodes.length) holder.lastChild.remove();
  while (place.children.length > 1) place.lastChild.remove();
  if (turn.reused) place.append(el("p", { className: "meta", textContent: turn.reused }));
  if (turn.estimate >= 0.5 && isOpen(turn)) place.append(el("p", { className: "meta", textContent: `예상 ${turn.estimate.toFixed(1)}초` }));
}

function stepParts(step) {
  const parts = { bar: el("span", { className: "bar" }, el("i")) };
  for (const name of ["mark", "task", "time", "why"]) parts[name] = el("span", { className: name });
  parts.mark.setAttribute("aria-hidden", "true");
  parts.state = el("span", { className: "hidden" });
  parts.skip = button("skip-step", "건너뛰기", () => transmit({ type: "todo_skip", step_id: step.step_id }));
  parts.node = el("li", {}, parts.mark, el("span", {}, parts.task, parts.state), parts.time, parts.why, parts.bar, parts.skip);
  return parts;
}

function showStep(step, open) {
  if (!stepNodes.has(step.step_id)) stepNodes.set(step.step_id, stepParts(step));
  const parts = stepNodes.get(step.step_id);
  const progress = step.progress_percentage || 0;
  parts.node.className = step.status;
  parts.mark.textContent = step.reused ? "↺" : MARKS[step.status];
  parts.task.textContent = step.task || step.description || step.agent_name;
  parts.state.textContent = ` ${STATES[step.status]}`;
  parts.time.textContent = step.execution_time >= 0.05 ? `${step.execution_time.toFixed(1)}초` : "";
  parts.why.textContent = step.error === "cancelled" ? "취소함" : step.error || (step.reused ? "앞서 찾은 결과" : "");
  parts.why.hidden = !parts.why.textContent;
  parts.bar.hidden = step.status !== "in_progress" || !open || progress <= 0 || progress >= 100;
  parts.bar.firstChild.style.width = `${progress}%`;
  parts.skip.hidden = step.status !== "pending" || !open;
  parts.skip.setAttribute("aria-label", `건너뛰기: ${parts.task.textContent}`);
  return parts.node;
}

function summaryOf(turn, busy) {
  if (turn?.status === "interrupted") return "답을 기다리고 있습니다.";
  const now = [...known.turns.values()].find((one) => one.status === "running") || turn;
  if (!busy || !now) return "";
  if (!now.steps.length) return now.doing || "보내는 중입니다.";
  const doing = now.steps.find((step) => step.status === "in_progress");
  const done = now.steps.filter((step) => OVER.includes(step.status)).length;
  return `${done}/${now.steps.length} · ${doing ? `${doing.task} 중` : "정리하는 중"}`;
}

// --- lines at the top, words for screen readers ---

let flashing = 0;

function flash(text) {
  clearTimeout(flashing);
  $("line").textContent = text || "";
  $("line").hidden = !text;
  if (text) flashing = setTimeout(() => flash(""), 6000);
}

function showConnection(text) {
  $("connection").textContent = text;
  $("connection").hidden = !text;
}

const speak = (text) => { $("spoken").textContent = text; };

// --- the empty page ---

function welcome(heading = "누구에게 물어볼까요?", line = "도우미를 고르거나, 바로 물어보세요.") {
  const cards = known.assistants.map((one) => el("div", { className: "card" },
    el("button", { className: "pick", type: "button", onclick: () => begin(one.name, takeQuestion()) },
      el("strong", { textContent: one.title }), el("span", { textContent: one.description || one.greeting || one.name })),
    el("ul", {}, one.examples.slice(0, 2).map((text) => el("li", {}, button("example", text, () => begin(one.name, text)))))));
  title("마당");
  $("conversation").replaceChildren(el("section", { className: "welcome wide" }, el("h2", { textContent: heading }),
    el("p", { textContent: cards.length ? line : "열린 도우미가 없습니다." }), el("div", { className: "choices" }, cards)));
}

function greet(assistant) {
  $("conversation").replaceChildren(el("section", { className: "welcome" },
    el("h2", { textContent: assistant?.title || known.session.assistant || "" }),
    el("p", { textContent: assistant?.greeting || assistant?.description || "무엇이든 물어보세요." }),
    assistant?.examples?.length ? chips(assistant.examples.slice(0, 6), say) : null));
}

function title(text) {
  $("title").textContent = text;
  document.title = known.session ? `${text} · 마당` : "마당";
  $("rename").hidden = !known.session;
}

// --- the server ---

async function request(path, { method = "GET", body } = {}) {
  const headers = {};
  const key = sessionStorage.getItem("key");
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
    .catch(() => { throw new Error("서버에 닿지 못했습니다."); });
  if (answer.status === 401) {
    await askKey();
    return request(path, { method, body });
  }
  if (!answer.ok) throw Object.assign(new Error(REFUSED[answer.status] || (await answer.json().catch(() => ({}))).detail || REFUSED[500]), { status: answer.status });
  return answer;
}

async function call(path, options) {
  const answer = await request(path, options);
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

const pathOf = (id, rest = "") => `/sessions/${encodeURIComponent(id)}${rest}`;

async function framesSince(id, after) {
  const answer = await request(pathOf(id, `/events?follow=false&after=${after}`));
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

// --- opening a conversation ---

function forget() {
  closeSocket();
  // What the server may not have heard is said when the conversation is open again; it knows a question by its id.
  for (const turn of known.turns.values()) if (turn.sent?.query && !turn.asked) wait(turn.sent.query, known.session.session_id, turn.id);
  known.turns.clear();
  known.messages.clear();
  stale.clear();
  planned = null;
  Object.assign(known, { session: null, reply: null, cancelling: false, nextMessages: null, opening: known.opening + 1 });
  $("earlier").hidden = true;
  showConnection("");
}

async function open(id) {
  forget();
  const mine = known.opening;
  $("conversation").replaceChildren(el("p", { className: "notice", textContent: "불러오는 중입니다." }));
  let session, page, tail;
  try {
    session = await call(pathOf(id));
    page = await call(pathOf(id, "/messages?latest=true&limit=100"));
    tail = await recent(id, session.last_seq);
  } catch (error) {
    if (mine !== known.opening) return;
    if (error.status === 404) return leave("대화를 찾을 수 없습니다.", id);
    $("conversation").replaceChildren(el("p", { className: "notice bad", textContent: error.message }), button("outlined", "다시 열기", route));
    return;
  }
  if (mine !== known.opening) return;
  show(session, page, tail);
}

function show(session, page, tail) {
  Object.assign(known, { session, last: tail.after, nextMessages: page.next_cursor });
  const assistant = known.assistants.find((one) => one.name === session.assistant);
  title(session.title || assistant?.title || session.assistant);
  $("conversation").replaceChildren();
  page.items.forEach(applyMessage);
  const whole = new Set([...known.turns.values()].filter((turn) => turn.status === "completed").map((turn) => turn.id));
  const since = page.next_cursor ? Date.parse(page.items[0]?.created_at) : 0;
  tail.frames.forEach((frame) => {
    // A message that is whole needs no tokens; its steps and questions still come from its events. Turns further back
    // than the messages that were read come with theirs.
    const before = Date.parse(frame.timestamp) < since && !known.turns.has(frame.request_id);
    if (before || (frame.type === "token" && whole.has(frame.request_id))) known.last = frame.seq;
    else applyFrame(frame);
  });
  $("earlier").hidden = !known.nextMessages;
  if (!known.turns.size) greet(assistant);
  askRuns();
  showPlan();
  connect();
  markSessions();
  $("question").focus({ preventScroll: true });
  requestAnimationFrame(() => { $("conversation").scrollTop = $("conversation").scrollHeight; });
  for (const { text, turn } of waitingFor(session.session_id)) if (!known.turns.has(turn)) say(text, turn);
}

// Turns of which neither an answer nor an event is at hand: waiting in the queue, or ended long ago without one.
function askRuns() {
  for (const turn of [...known.turns.values()].slice(-20)) {
    if (turn.status || !turn.run) continue;
    call(`/runs/${encodeURIComponent(turn.run)}`).then((run) => {
      if (turn.status || known.turns.get(turn.id) !== turn) return;
      turn.status = run.status;
      later(turn);
    }).catch(() => null);
  }
}

async function earlier() {
  const mine = known.opening, place = $("conversation"), below = place.scrollHeight - place.scrollTop;
  const page = await call(pathOf(known.session.session_id, `/messages?latest=true&limit=100&cursor=${encodeURIComponent(known.nextMessages)}`))
    .catch((error) => flash(error.message));
  if (!page || mine !== known.opening) return;
  const shownNow = [...known.turns.entries()];
  const isShown = (one) => shownNow.some(([id]) => id === one.request_id);
  known.turns.clear();
  page.items.filter((one) => !isShown(one)).forEach(applyMessage);
  shownNow.forEach(([id, turn]) => known.turns.set(id, turn));
  // A turn may begin on one page and end on the next.
  page.items.filter(isShown).forEach(applyMessage);
  known.nextMessages = page.next_cursor;
  $("earlier").hidden = !known.nextMessages;
  requestAnimationFrame(() => requestAnimationFrame(() => { place.scrollTop = place.scrollHeight - below; }));
}

// What was said elsewhere (another tab, another program) is in the messages, not in the events.
let reading = 0;

function messagesSoon() {
  clearTimeout(reading);
  const mine = known.opening;
  reading = setTimeout(async () => {
    if (!known.session || mine !== known.opening) return;
    const page = await call(pathOf(known.session.session_id, "/messages?latest=true&limit=20")).catch(() => null);
    if (page && mine === known.opening) page.items.filter((one) => one.role === "user").forEach(applyMessage);
  }, 100);
}

function leave(words, id) {
  giveBack(id);
  location.hash = "";
  flash(words);
  listSessions();
}

// --- the socket ---

function closeSocket() {
  const socket = known.socket;
  Object.assign(known, { socket: null, caughtUp: null });
  clearTimeout(known.again);
  if (socket) socket.close();
}

function connect() {
  if (!known.session) return;
  closeSocket();
  const key = sessionStorage.getItem("key");
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${encodeURIComponent(known.session.session_id)}?after=${known.last}`;
  const socket = new WebSocket(address, key ? ["madang", `madang.bearer.${key}`] : ["madang"]);
  known.socket = socket;
  socket.onmessage = (event) => {
    if (known.socket !== socket) return;
    applyFrame(JSON.parse(event.data));
    catchUp();
  };
  socket.onclose = (event) => {
    if (known.socket !== socket) return;
    Object.assign(known, { socket: null, caughtUp: null });
    if (event.code === 4004) return leave("이 대화는 이제 없습니다.", known.session.session_id);
    if (event.code === 4401) return askKey().then(connect);
    showConnection(LOST);
    known.again = setTimeout(connect, Math.min(8000, 300 * 2 ** known.tries++));
  };
}

// Once everything that was missed has come: what the break swallowed is said again.
function catchUp() {
  const hello = known.caughtUp;
  if (!hello || hello.done || known.last < hello.last_seq) return;
  hello.done = true;
  known.tries = 0;
  showConnection("");
  if (known.cancelling && running()) transmit({ type: "cancel" });
  nameByQuestion();
  for (const turn of known.turns.values()) if (turn.sent) sayAgain(turn, hello);
}

// A question has an id that the server knows if it had arrived. An answer has none: it is said again only while its question waits.
async function sayAgain(turn, hello) {
  if (turn.sent.request_id && !turn.asked) return transmit(turn.sent);
  if (hello.running?.request_id === turn.id) return;
  const { interrupts } = await call(pathOf(known.session.session_id, "/state")).catch(() => ({ interrupts: [] }));
  if (turn.sent && interrupts.some((one) => one.interrupt_id === turn.asked)) transmit(turn.sent);
}

function transmit(frame) {
  if (known.socket?.readyState !== WebSocket.OPEN || !known.caughtUp?.done) return false;
  known.socket.send(JSON.stringify(frame));
  return true;
}

function cancel() {
  if (known.cancelling) return;
  known.cancelling = true;
  if (!transmit({ type: "cancel" })) flash("다시 이어지면 멈춥니다.");
}

// --- saying something ---

function newId() {
  return crypto.randomUUID?.() || Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
}

// A question that can't be said yet waits for its own conversation: one by its id, or the one that is being begun (null).
const wait = (text, session, turn = newId()) => known.waiting.push({ text, session, turn });

function waitingFor(session) {
  const found = known.waiting.filter((one) => one.session === session);
  known.waiting = known.waiting.filter((one) => one.session !== session);
  return found;
}

function giveBack(session) {
  $("question").value = [...waitingFor(session).map((one) => one.text), $("question").value].filter(Boolean).join("\n");
  grow();
}

function takeQuestion() {
  const text = $("question").value.trim();
  $("question").value = "";
  grow();
  return text;
}

async function begin(assistant, text) {
  if (known.starting) return;
  if (text) wait(text, null);
  known.starting = true;
  try {
    const made = await call("/sessions", { method: "POST", body: { assistant } });
    for (const one of waitingFor(null)) wait(one.text, made.session_id);
    location.hash = `#/s/${encodeURIComponent(made.session_id)}`;
    closePanels();
    listSessions();
  } catch (error) {
    giveBack(null);
    flash(error.message);
  }
  known.starting = false;
}

function say(text, id = newId()) {
  if (!known.session || !text) return;
  const part = { user: text };
  const waiting = [...known.turns.values()].find((one) => one.status === "interrupted");
  const turn = waiting || turnOf(id);
  addSaid(turn, part);
  turn.sent = { type: "query", query: text, request_id: id };
  if (waiting) {
    known.reply = { id, part, old: waiting.id };
    turn.asked = waiting.interrupts[0]?.interrupt_id;
    turn.interrupts = [];
  }
  turn.status = "sending";
  transmit(turn.sent);
  later(turn);
  $("conversation").scrollTop = $("conversation").scrollHeight;
  nameByQuestion();
}

// A conversation is called by its first question until someone calls it something else.
function nameByQuestion() {
  const first = [...known.turns.values()].flatMap((turn) => turn.said).find((part) => part.user)?.user;
  if (first && !known.session.title) renameTo(first.replace(/\s+/g, " ").slice(0, 60), () => null);
}

async function renameTo(name, failed = (error) => flash(error.message)) {
  const session = known.session;
  const changed = await call(pathOf(session.session_id), { method: "PATCH", body: { title: name } }).catch(failed);
  if (!changed) return;
  session.title = changed.title;
  if (known.session === session) title(changed.title);
  listSessions();
}

// The question is for the conversation that the address names, open already or not.
function submitQuestion() {
  const text = $("question").value.trim();
  const id = sessionInAddress();
  if (!text) return;
  if (id && known.session?.session_id === id) say(takeQuestion());
  else if (id || known.starting) wait(takeQuestion(), id);
  else if (!known.ready) known.eager = true;
  else if (known.assistants.length === 1) begin(known.assistants[0].name, takeQuestion());
  else {
    welcome("이 질문을 누구에게 맡길까요?", `“${text.slice(0, 80)}”`);
    $("conversation").querySelector(".pick")?.focus();
  }
}

// --- the list of conversations ---

let listing = 0, lists = 0;

function listSoon() {
  clearTimeout(listing);
  listing = setTimeout(() => listSessions(), 400);
}

async function listSessions(more = false) {
  const search = $("find").value.trim(), mine = ++lists;
  const query = new URLSearchParams({ limit: 40, ...(search && { q: search }), ...(more && known.nextSessions && { cursor: known.nextSessions }) });
  const page = await call(`/sessions?${query}`).catch((error) => flash(error.message));
  if (!page || mine !== lists) return;
  known.sessions = more ? [...known.sessions, ...page.items] : page.items;
  known.nextSessions = page.next_cursor;
  $("more").hidden = !known.nextSessions;
  markSessions();
}

function dayOf(text) {
  const day = new Date(text), today = new Date();
  const days = Math.round((new Date(today.toDateString()) - new Date(day.toDateString())) / 86_400_000);
  if (days <= 0) return "오늘";
  if (days === 1) return "어제";
  return days < 7 ? "지난 이레" : day.toLocaleDateString("ko-KR", { year: "numeric", month: "long" });
}

const nameOf = (session) => session.title || unmarked(session.last_message || "") || known.assistants.find((one) => one.name === session.assistant)?.title || "대화";

function markSessions() {
  let day = "";
  const rows = [];
  for (const session of known.sessions) {
    const mine = session.session_id === known.session?.session_id;
    // A conversation in which nobody has said anything is no entry, unless it is this one.
    if (!session.message_count && !session.title && !mine) continue;
    if (dayOf(session.updated_at) !== day) rows.push(el("li", { className: "day", textContent: (day = dayOf(session.updated_at)) }));
    const name = nameOf(session);
    rows.push(el("li", { className: "row" },
      button("open", name, () => { location.hash = `#/s/${encodeURIComponent(session.session_id)}`; closePanels(); },
        { title: name, "aria-current": mine ? "true" : null }),
      button("icon-button remove", "✕", () => remove(session, name), { "aria-label": `지우기: ${name}` })));
  }
  const none = $("find").value.trim() ? "찾는 대화가 없습니다." : "아직 대화가 없습니다.";
  $("session-list").replaceChildren(...(rows.length ? rows : [el("li", { className: "day", textContent: none })]));
}

async function remove(session, name) {
  if (!confirm(`‘${name}’ 대화를 지울까요? 되돌릴 수 없습니다.`)) return;
  const mine = known.session?.session_id === session.session_id;
  if (mine) forget();
  await call(pathOf(session.session_id), { method: "DELETE" }).catch((error) => flash(error.message));
  if (mine) {
    giveBack(session.session_id);
    location.hash = "";
  }
  listSessions();
}

// --- renaming, in the place of the title ---

function beginRename() {
  $("rename-form").hidden = false;
  $("title").hidden = $("rename").hidden = true;
  $("rename-to").value = known.session.title || "";
  $("rename-to").select();
}

function endRename(name = "") {
  $("rename-form").hidden = true;
  $("title").hidden = false;
  $("rename").hidden = !known.session;
  if (name && known.session && name !== known.session.title) renameTo(name);
}

// --- the page itself ---

const openerOf = (panel) => $(`open-${panel.id}`);

function closePanels() {
  for (const panel of document.querySelectorAll(".side.open")) {
    const inside = panel.contains(document.activeElement);
    panel.classList.remove("open");
    openerOf(panel).setAttribute("aria-expanded", "false");
    if (inside) openerOf(panel).focus();
  }
}

function openPanel(id, focus) {
  $(id).classList.add("open");
  openerOf($(id)).setAttribute("aria-expanded", "true");
  focus.focus();
}

// null if it names none; an address that nobody could have made names a session that isn't there.
function sessionInAddress() {
  const id = /^#\/s\/(.+)$/.exec(location.hash)?.[1];
  try {
    return id ? decodeURIComponent(id) : null;
  } catch {
    return id;
  }
}

function route() {
  endRename();
  const id = sessionInAddress();
  if (id) return open(id);
  forget();
  welcome();
  showPlan();
  markSessions();
}

function grow() {
  const area = $("question");
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
  showPlan();
}

// Enter sends, unless a Korean syllable is still being put together.
const isSend = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;

function listen() {
  $("ask").addEventListener("submit", (event) => { event.preventDefault(); submitQuestion(); });
  $("question").addEventListener("input", () => { known.eager = false; grow(); });
  $("question").addEventListener("keydown", (event) => {
    if (!isSend(event)) return;
    event.preventDefault();
    submitQuestion();
  });
  $("cancel").addEventListener("click", cancel);
  $("new").addEventListener("click", () => { location.hash = ""; closePanels(); $("question").focus(); });
  $("more").addEventListener("click", () => listSessions(true));
  $("earlier").addEventListener("click", earlier);
  $("find").addEventListener("input", listSoon);
  $("rename").addEventListener("click", beginRename);
  $("rename-form").addEventListener("submit", (event) => { event.preventDefault(); endRename($("rename-to").value.trim()); $("rename").focus(); });
  $("rename-to").addEventListener("keydown", (event) => { if (event.key === "Escape") { endRename(); $("rename").focus(); } });
  $("open-sessions").addEventListener("click", () => openPanel("sessions", $("new")));
  $("open-plan").addEventListener("click", () => openPanel("plan", $("plan").querySelector("[data-close]")));
  document.querySelectorAll("[data-close]").forEach((one) => one.addEventListener("click", closePanels));
  document.addEventListener("keydown", shortcut);
  document.addEventListener("click", (event) => { if (!event.target.closest(".side, .phone")) closePanels(); });
  addEventListener("online", reconnect);
  document.addEventListener("visibilitychange", reconnect);
}

function shortcut(event) {
  if (event.key === "Escape") closePanels();
  if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
    event.preventDefault();
    $("question").focus();
  }
}

function reconnect() {
  if (document.hidden || !known.session || known.socket) return;
  known.tries = 0;
  connect();
}

async function start() {
  for (;;) {
    try {
      known.assistants = await call("/assistants");
      break;
    } catch {
      showConnection("서버에 닿지 못했습니다, 다시 해 보는 중 …");
      await new Promise((resolve) => setTimeout(resolve, Math.min(8000, 300 * 2 ** known.tries++)));
    }
  }
  showConnection("");
  known.tries = 0;
  known.ready = true;
  listSessions();
  addEventListener("hashchange", route);
  route();
  if (known.eager) submitQuestion();
}

listen();
await start();
