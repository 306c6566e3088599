// A page with CopilotKit's own chat whose agent is homes over AG-UI: CopilotKit's runtime in between, as its docs say.
//   npm install @copilotkit/runtime @copilotkit/react-core @copilotkit/react-ui @ag-ui/client react react-dom esbuild
//   node copilotkit.mjs http://127.0.0.1:8000 homes 4000     and open http://127.0.0.1:4000
import http from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { CopilotRuntime, ExperimentalEmptyAdapter, copilotRuntimeNodeHttpEndpoint } from "@copilotkit/runtime";
import { build } from "esbuild";

const [address = "http://127.0.0.1:8000", assistant = "homes", port = "4000"] = process.argv.slice(2);
const ENDPOINT = "/copilotkit";
const CHAT = `
  import React from "react";
  import { createRoot } from "react-dom/client";
  import { CopilotKit } from "@copilotkit/react-core";
  import { CopilotChat } from "@copilotkit/react-ui";
  import "@copilotkit/react-ui/styles.css";
  createRoot(document.getElementById("root")).render(
    <CopilotKit runtimeUrl="${ENDPOINT}" agent="${assistant}" showDevConsole={false}>
      <CopilotChat labels={{ title: "${assistant}", initial: "무엇을 도와드릴까요?" }} />
    </CopilotKit>,
  );`;
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/chat.css">
  <div id="root" style="height:100vh"></div><script type="module" src="/chat.js"></script>`;

const { outputFiles } = await build({
  stdin: { contents: CHAT, loader: "jsx", resolveDir: import.meta.dirname },
  bundle: true,
  format: "esm",
  minify: true,
  write: false,
  outdir: "/",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".woff2": "dataurl", ".woff": "dataurl", ".ttf": "dataurl", ".svg": "dataurl" },
});
const bundled = (ending) => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
const files = {
  "/": ["text/html", PAGE],
  "/chat.js": ["text/javascript", bundled(".js")],
  "/chat.css": ["text/css", bundled(".css")],
};

const runtime = new CopilotRuntime({ agents: { [assistant]: new HttpAgent({ url: `${address}/ag-ui/${assistant}` }) } });
const serviceAdapter = new ExperimentalEmptyAdapter();
const answer = copilotRuntimeNodeHttpEndpoint({ endpoint: ENDPOINT, runtime, serviceAdapter });

http
  .createServer((request, response) => {
    const [type, text] = files[new URL(request.url, "http://x").pathname] ?? [];
    if (!type) return answer(request, response);
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  })
  .listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));
