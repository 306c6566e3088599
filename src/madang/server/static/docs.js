// The OpenAPI document, readable without anything from elsewhere.
const page = document.getElementById("docs");

function el(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function code(value) {
  return el("pre", {}, el("code", { textContent: typeof value === "string" ? value : JSON.stringify(value, null, 2) }));
}

function example(schema, document_, depth = 0) {
  if (!schema || depth > 6) return null;
  if (schema.$ref) return example(document_.components.schemas[schema.$ref.split("/").pop()], document_, depth + 1);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return example(schema.anyOf.find((one) => one.type !== "null"), document_, depth + 1);
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "array") return [example(schema.items, document_, depth + 1)];
  if (schema.type === "object" && schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [name, example(one, document_, depth + 1)]),
    );
  }
  return { string: "", integer: 0, number: 0, boolean: false, object: {} }[schema.type] ?? null;
}

function operation(method, path, found, document_) {
  const summary = el("summary", {}, el("span", { className: "method", textContent: method.toUpperCase() }), `${path} `,
    el("span", { className: "meta", textContent: found.summary || "" }));
  const parts = [el("p", { textContent: found.description || "" })];
  const named = (found.parameters || []).map((one) =>
    el("li", {}, el("code", { textContent: one.name }), ` (${one.in}${one.required ? ", required" : ""}) ${one.description || ""}`));
  if (named.length) parts.push(el("ul", {}, ...named));
  const body = found.requestBody?.content?.["application/json"];
  if (body) parts.push(el("h3", { textContent: "request" }), code(example(body.schema, document_)));
  for (const [status, answer] of Object.entries(found.responses)) {
    if (!status.startsWith("2")) continue;
    const kinds = Object.entries(answer.content || {});
    parts.push(el("h3", { textContent: `${status} ${answer.description}` }));
    for (const [kind, one] of kinds) {
      parts.push(kind === "application/json" ? code(example(one.schema, document_)) : el("p", { className: "meta", textContent: kind }));
    }
  }
  return el("details", {}, summary, ...parts);
}

const answer = await fetch("/openapi.json");
const document_ = await answer.json();
page.append(...document_.info.description.split("\n\n").map((text) =>
  el("p", {}, ...text.split("`").map((part, i) => (i % 2 ? el("code", { textContent: part }) : part)))));
for (const [path, methods] of Object.entries(document_.paths)) {
  for (const [method, found] of Object.entries(methods)) page.append(operation(method, path, found, document_));
}
