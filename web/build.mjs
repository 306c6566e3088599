// Bundles the app into a folder that `madang serve` serves: node build.mjs [FOLDER]. Prints what each part weighs, gzipped.
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 160_000;
const target = resolve(process.argv[2] ?? "../src/madang/server/web");
const fresh = `${target}.new`;

rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
const { metafile } = await build({
  entryPoints: { app: "src/main.tsx" },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: "esm",
  minify: true,
  metafile: true,
  target: "es2022",
  jsx: "automatic",
  entryNames: "[name]-[hash]",
  chunkNames: "part-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  alias: { entities: "./src/answer/entities.ts" },
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "linked",
  logLevel: "warning",
});

const outputs = Object.entries(metafile.outputs);
const [entry, about] = outputs.find(([, one]) => one.entryPoint === "src/main.tsx");
const css = basename(about.cssBundle);
// What the page needs before it can be typed into: the entry and everything it imports at once.
const first = new Set();
const follow = (path) => {
  if (first.has(path)) return;
  first.add(path);
  for (const one of metafile.outputs[path].imports) if (one.kind === "import-statement") follow(one.path);
};
follow(entry);
const early = [...first].filter((path) => path !== entry).map((path) => `<link rel="modulepreload" href="/static/${basename(path)}">`);
const page = readFileSync("src/index.html", "utf8").replace("{script}", basename(entry)).replace("{style}", css).replace("{early}", early.join(""));
writeFileSync(`${fresh}/index.html`, page);
const weight = (path) => gzipSync(readFileSync(path)).length;
const named = (path) => {
  const inputs = Object.keys(metafile.outputs[path].inputs);
  return inputs.findLast((one) => one.startsWith("src/")) ?? inputs.at(-1) ?? "";
};
let total = 0;
for (const [path] of outputs) {
  if (!/\.(js|css)$/.test(path)) continue;
  const bytes = weight(path);
  const now = first.has(path);
  if (now) total += bytes;
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB gz  ${now ? "first" : path.endsWith(".css") ? "style" : "later"}  ${basename(path)}  ${named(path)}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(7)} kB gz  before anything that is loaded later (limit ${LIMIT / 1000})`);
if (total > LIMIT) {
  console.error("the first part is too heavy");
  process.exit(1);
}
rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);
