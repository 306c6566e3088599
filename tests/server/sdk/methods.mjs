// Every public method of the JavaScript client's parts, found by reflection, and a check of each; prints one JSON object.
import assert from "node:assert/strict";
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: process.argv[2], apiKey: null });
const said = (text) => ({ messages: [{ type: "human", content: text }] });
const YEARLY = { schedule: "0 0 1 1 *", input: said("yearly") };
const { assistants, threads, runs, crons, store } = client;

const own = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
const methods = Object.entries(client)
  .filter(([, part]) => typeof part === "object")
  .flatMap(([part, object]) => own(object).map((name) => `${part}.${name}`));

const thread = async (text) => {
  const { thread_id } = await threads.create({ metadata: { from: "methods" } });
  if (text) await runs.wait(thread_id, "talk", { input: said(text) });
  return thread_id;
};
const assistant = (more) => assistants.create({ graphId: "talk", name: "named", metadata: { from: "methods" }, ...more });
const texts = (state) => state.values.messages.map((message) => message.content);
const lasts = async (parts) => {
  let last;
  for await (const part of parts) last = part.event;
  return last;
};
const status = (asked) => asked.then(() => 200, (error) => error.status);

const checks = {
  "assistants.get": async () => assert.equal((await assistants.get("talk")).graph_id, "talk"),
  "assistants.getGraph": async () => assert.ok((await assistants.getGraph("talk", { xray: true })).nodes.length > 2),
  "assistants.getSchemas": async () => assert.ok((await assistants.getSchemas("talk")).state_schema.properties.messages),
  "assistants.getSubgraphs": async () => {
    const found = await assistants.getSubgraphs("talk", { recurse: true });
    assert.deepEqual(Object.keys(found), ["counter"]);
  },
  "assistants.create": async () => assert.equal((await assistant()).name, "named"),
  "assistants.update": async () => {
    const { assistant_id } = await assistant();
    assert.equal((await assistants.update(assistant_id, { name: "renamed" })).version, 2);
  },
  "assistants.delete": async () => {
    const { assistant_id } = await assistant();
    await assistants.delete(assistant_id);
    assert.equal(await status(assistants.get(assistant_id)), 404);
  },
  "assistants.search": async () => {
    await assistant({ metadata: { searched: true } });
    assert.equal((await assistants.search({ metadata: { searched: true } })).length, 1);
  },
  "assistants.count": async () => {
    await assistant({ metadata: { counted: true } });
    assert.equal(await assistants.count({ metadata: { counted: true } }), 1);
  },
  "assistants.getVersions": async () => {
    const { assistant_id } = await assistant();
    await assistants.update(assistant_id, { name: "second" });
    assert.deepEqual((await assistants.getVersions(assistant_id)).map((one) => one.version), [2, 1]);
  },
  "assistants.setLatest": async () => {
    const { assistant_id } = await assistant();
    await assistants.update(assistant_id, { name: "second" });
    assert.equal((await assistants.setLatest(assistant_id, 1)).name, "named");
  },
  "threads.get": async () => assert.equal((await threads.get(await thread())).status, "idle"),
  "threads.create": async () => assert.deepEqual((await threads.create({ metadata: { a: 1 } })).metadata.a, 1),
  "threads.copy": async () => {
    const copied = await threads.copy(await thread("hello"));
    assert.deepEqual(texts(await threads.getState(copied.thread_id)), ["hello", "you said hello"]);
  },
  "threads.update": async () => {
    assert.equal((await threads.update(await thread(), { metadata: { later: 1 } })).metadata.later, 1);
  },
  "threads.delete": async () => {
    const made = await thread();
    await threads.delete(made);
    assert.equal(await status(threads.get(made)), 404);
  },
  "threads.prune": async () => {
    const made = await thread("hello");
    await threads.prune([made], { strategy: "keep_latest" });
    assert.equal((await threads.getHistory(made)).length, 1);
  },
  "threads.search": async () => {
    const made = await thread();
    await threads.update(made, { metadata: { searched: made } });
    assert.deepEqual((await threads.search({ metadata: { searched: made } })).map((one) => one.thread_id), [made]);
  },
  "threads.count": async () => {
    const made = await thread();
    await threads.update(made, { metadata: { counted: made } });
    assert.equal(await threads.count({ metadata: { counted: made } }), 1);
  },
  "threads.getState": async () => {
    assert.deepEqual(texts(await threads.getState(await thread("hello"))), ["hello", "you said hello"]);
  },
  "threads.updateState": async () => {
    const made = await thread("hello");
    await threads.updateState(made, { values: said("put in") });
    assert.equal(texts(await threads.getState(made)).at(-1), "put in");
  },
  "threads.patchState": async () => {
    const made = await thread("hello");
    await threads.patchState(made, { patched: 1 });
    assert.equal((await threads.get(made)).metadata.patched, 1);
  },
  "threads.getHistory": async () => assert.equal((await threads.getHistory(await thread("hello"), { limit: 2 })).length, 2),
  "threads.joinStream": async () => {
    for await (const part of threads.joinStream(await thread("hello"), { lastEventId: "-1" })) {
      if (part.data.status === "run_done") break;
    }
  },
  "threads.stream": async () => {
    const stream = threads.stream({ assistantId: "talk" });
    await stream.run.start({ input: said("hello") });
    assert.equal((await stream.output).messages.at(-1).content, "you said hello");
    await stream.close();
  },
  "runs.stream": async () => {
    assert.equal(await lasts(runs.stream(await thread(), "talk", { input: said("hello"), streamMode: ["values"] })), "end");
  },
  "runs.create": async () => {
    const made = await thread();
    const run = await runs.create(made, "talk", { input: said("hello") });
    assert.equal((await runs.join(made, run.run_id)).messages.at(-1).content, "you said hello");
  },
  "runs.createBatch": async () => {
    const batch = [1, 2].map(() => ({ assistantId: "talk", input: said("hello") }));
    assert.equal((await runs.createBatch(batch)).length, 2);
  },
  "runs.wait": async () => {
    const waited = await runs.wait(null, "talk", { input: said("hello") });
    assert.equal(waited.messages.at(-1).content, "you said hello");
  },
  "runs.list": async () => assert.equal((await runs.list(await thread("hello"), { limit: 5 })).length, 1),
  "runs.get": async () => {
    const made = await thread("hello");
    const [{ run_id }] = await runs.list(made);
    assert.equal((await runs.get(made, run_id)).status, "success");
  },
  "runs.cancel": async () => {
    const made = await thread();
    const { run_id } = await runs.create(made, "talk", { input: said("hello"), afterSeconds: 3600 });
    await runs.cancel(made, run_id, true);
    assert.equal((await runs.get(made, run_id)).status, "interrupted");
  },
  "runs.cancelMany": async () => {
    const made = await thread();
    const { run_id } = await runs.create(made, "talk", { input: said("hello"), afterSeconds: 3600 });
    await runs.cancelMany({ threadId: made, runIds: [run_id] });
    assert.equal((await runs.get(made, run_id)).status, "interrupted");
  },
  "runs.join": async () => {
    const made = await thread("hello");
    const [{ run_id }] = await runs.list(made);
    assert.equal((await runs.join(made, run_id)).messages.length, 2);
  },
  "runs.joinStream": async () => {
    const made = await thread("hello");
    const [{ run_id }] = await runs.list(made);
    assert.equal(await lasts(runs.joinStream(made, run_id)), "end");
  },
  "runs.delete": async () => {
    const made = await thread("hello");
    const [{ run_id }] = await runs.list(made);
    await runs.delete(made, run_id);
    assert.deepEqual(await runs.list(made), []);
  },
  "crons.createForThread": async () => {
    const made = await thread();
    assert.equal((await crons.createForThread(made, "talk", YEARLY)).thread_id, made);
  },
  "crons.create": async () => assert.equal((await crons.create("talk", YEARLY)).schedule, YEARLY.schedule),
  "crons.update": async () => {
    const { cron_id } = await crons.create("talk", YEARLY);
    assert.equal((await crons.update(cron_id, { enabled: false })).enabled, false);
  },
  "crons.delete": async () => {
    const made = await thread();
    const { cron_id } = await crons.createForThread(made, "talk", YEARLY);
    await crons.delete(cron_id);
    assert.deepEqual(await crons.search({ threadId: made }), []);
  },
  "crons.search": async () => {
    const made = await thread();
    await crons.createForThread(made, "talk", YEARLY);
    assert.equal((await crons.search({ threadId: made })).length, 1);
  },
  "crons.count": async () => {
    const made = await thread();
    await crons.createForThread(made, "talk", YEARLY);
    assert.equal(await crons.count({ threadId: made }), 1);
  },
  "store.putItem": async () => store.putItem(["put"], "key", { value: 1 }),
  "store.getItem": async () => {
    await store.putItem(["got"], "key", { value: 1 });
    assert.deepEqual((await store.getItem(["got"], "key")).value, { value: 1 });
    assert.equal(await store.getItem(["got"], "none"), null);
  },
  "store.deleteItem": async () => {
    await store.putItem(["deleted"], "key", { value: 1 });
    await store.deleteItem(["deleted"], "key");
    assert.equal(await store.getItem(["deleted"], "key"), null);
  },
  "store.searchItems": async () => {
    await store.putItem(["searched"], "key", { value: 1 });
    assert.deepEqual((await store.searchItems(["searched"])).items.map((item) => item.key), ["key"]);
  },
  "store.listNamespaces": async () => {
    await store.putItem(["listed", "below"], "key", { value: 1 });
    assert.deepEqual((await store.listNamespaces({ prefix: ["listed"] })).namespaces, [["listed", "below"]]);
  },
};

const failed = {};
for (const [name, check] of Object.entries(checks)) {
  if (!methods.includes(name)) continue;
  await Promise.resolve().then(check).catch((error) => (failed[name] = String(error)));
}
console.log(JSON.stringify({ methods, checked: Object.keys(checks), failed }));
process.exit(0);
