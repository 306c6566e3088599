// The thread protocol through the real JavaScript client; prints one JSON object.
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: process.argv[2], apiKey: null });
const said = (text) => ({ messages: [{ type: "human", content: text }] });
const seen = {};

const thread = client.threads.stream({ assistantId: "talk" });
const values = [];
const collecting = (async () => {
  for await (const state of thread.values) values.push(state);
})();
const spoken = (async () => {
  const texts = [];
  for await (const message of thread.messages) texts.push(await message.text);
  return texts;
})();
seen.run = (await thread.run.start({ input: said("please approve") })).run_id;
seen.spoken = await spoken;
await collecting;
seen.asked = thread.interrupts.map((one) => one.payload);
seen.interrupted = thread.interrupted;
seen.states = values.length;
seen.tree = (await thread.agent.getTree()).tree.children.map((child) => child.graph_name);
seen.got = (await thread.state.get({ namespace: [], keys: ["count"] })).values;
const { checkpoints } = await thread.state.listCheckpoints({ namespace: [], limit: 100 });
seen.checkpoints = checkpoints.length;
const [question] = thread.interrupts;
await thread.input.respond({ namespace: question.namespace, interrupt_id: question.interruptId, response: "yes" });
const [resumed] = await client.runs.list(thread.threadId, { limit: 1 });
seen.approved = (await client.runs.join(thread.threadId, resumed.run_id)).approved;
seen.forked = (await thread.state.fork({ checkpoint_id: checkpoints.at(-1).id, input: said("forked") })).thread_id;
seen.unknown = await thread.state.fork({ checkpoint_id: "none" }).catch((error) => error.code);
await thread.close();

const adding = client.threads.stream({ assistantId: "adding" });
const calls = (async () => {
  const made = new Map();
  for await (const call of adding.toolCalls) made.set(call.callId, [call.name, String(await call.output)]);
  return [...made.values()];
})();
await adding.run.start({ input: said("add") });
seen.calls = await calls;
await adding.close();

const trip = client.threads.stream({ assistantId: "trip" });
const answer = (async () => {
  for await (const message of trip.messages) return await message.text;
})();
await trip.run.start({ input: said("오사카 3 100") });
seen.answer = await answer;
seen.city = (await trip.output).city;
await trip.close();
seen.thread = thread.threadId;
console.log(JSON.stringify(seen));
process.exit(0);
