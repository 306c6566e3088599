// The request behind a view, to be run elsewhere.

export interface Asked {
  path: string;
  method?: string;
  body?: unknown;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curl({ path, method = "GET", body }: Asked): string {
  const parts = ["curl -s", ...(method === "GET" ? [] : [`-X ${method}`]), quoted(`${location.origin}/api/v1${path}`)];
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`);
  return parts.join(" ");
}

export function python({ path, method = "GET", body }: Asked): string {
  const given = body === undefined ? "" : `, json=${pythonOf(body)}`;
  return `import httpx\n\nanswer = httpx.request(${JSON.stringify(method)}, ${JSON.stringify(`${location.origin}/api/v1${path}`)}${given})\nprint(answer.raise_for_status().json())\n`;
}

export function javascript({ path, method = "GET", body }: Asked): string {
  const options = body === undefined ? (method === "GET" ? "" : `, { method: ${JSON.stringify(method)} }`)
    : `, {\n  method: ${JSON.stringify(method)},\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${JSON.stringify(body)}),\n}`;
  return `const answer = await fetch(${JSON.stringify(`${location.origin}/api/v1${path}`)}${options});\nconsole.log(await answer.json());\n`;
}

function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`).join(", ")}}`;
  return JSON.stringify(value);
}
