// What agent-chat-ui does with a server, through the real JavaScript client; prints one JSON object.
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: process.argv[2], apiKey: null });
const said = (text) => ({ messages: [{ type: "human", content: text }] });
const all = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return parts;
};

const seen = {};
const thread = await client.threads.create({ metadata: { from: "js" } });
let run;
const options = {
  input: said("please approve"),
  streamMode: ["values", "messages-tuple", "custom"],
  streamSubgraphs: true,
  streamResumable: true,
  onRunCreated: (created) => (run = created),
};
const parts = await all(client.runs.stream(thread.thread_id, "talk", options));
seen.run = run;
seen.thread = thread.thread_id;
seen.events = parts.map((part) => part.event.split(":")[0]);
seen.ids = parts.map((part) => part.id ?? null);
seen.interrupt = parts.findLast((part) => part.event === "values").data.__interrupt__;
const again = client.runs.joinStream(thread.thread_id, run.run_id, { lastEventId: "-1", streamMode: ["values"] });
seen.again = (await all(again)).map((part) => part.event.split(":")[0]);
seen.status = (await client.threads.get(thread.thread_id)).status;
const resumed = { command: { resume: "yes" }, streamMode: "values" };
seen.resumed = (await all(client.runs.stream(thread.thread_id, "talk", resumed))).at(-2).data.approved;
const state = await client.threads.getState(thread.thread_id);
seen.messages = state.values.messages.map((message) => message.type);
const history = await client.threads.getHistory(thread.thread_id, { limit: 100 });
seen.history = history.length;
const first = history.findLast((past) => past.values.messages?.length === 1);
const edited = { input: said("edited"), checkpoint: first.parent_checkpoint, streamMode: ["values"] };
const forked = await all(client.runs.stream(thread.thread_id, "talk", edited));
seen.forked = forked.at(-2).data.messages.map((message) => message.content);
seen.found = (await client.threads.search({ metadata: { graph_id: "talk" }, limit: 100 })).map((t) => t.thread_id);
seen.counted = await client.threads.count({ metadata: { from: "js" }, status: "idle" });
seen.followed = [];
for await (const part of client.threads.joinStream(thread.thread_id, { lastEventId: "-1" })) {
  seen.followed.push(part.event);
  if (part.data.status === "run_done") break;
}
await client.store.putItem(["js"], "key", { value: 1 });
seen.item = (await client.store.getItem(["js"], "key")).value;
const trip = { input: said("오사카 3 100"), streamMode: ["messages-tuple", "values"] };
const answered = await all(client.runs.stream(null, "trip", trip));
seen.answer = answered.filter((part) => part.event === "messages").map((part) => part.data[0].content).join("");
seen.waited = (await client.runs.wait(null, "trip", { input: said("부산 2 50") })).city;
await client.threads.delete(thread.thread_id);
seen.gone = await client.threads.get(thread.thread_id).catch((error) => error.status ?? String(error));
console.log(JSON.stringify(seen));
