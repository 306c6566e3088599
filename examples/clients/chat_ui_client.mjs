// What agent-chat-ui does with a server: find its assistant, begin a thread, stream, edit what was said, switch branches.
//   npm install @langchain/langgraph-sdk @langchain/core && node chat_ui_client.mjs http://127.0.0.1:8000 homes
import { Client } from "@langchain/langgraph-sdk";

const [address = "http://127.0.0.1:8000", assistantId = "homes"] = process.argv.slice(2);
const client = new Client({ apiUrl: address });

async function say(threadId, content, checkpoint) {
  const input = { messages: [{ type: "human", content }] };
  const options = { input, checkpoint, streamMode: ["values", "messages"], streamSubgraphs: true, streamResumable: true };
  let last;
  for await (const part of client.runs.stream(threadId, assistantId, options)) {
    if (part.event === "error") throw new Error(JSON.stringify(part.data));
    if (part.event === "values") last = part.data;
  }
  const { messages } = last;
  console.log(`> ${content}\n${messages.at(-1).content}\n`);
  return messages;
}

const info = await (await fetch(`${address}/info`)).json();
console.log(`${info.server} ${info.madang_version}`);
const { thread_id } = await client.threads.create({ metadata: { graph_id: assistantId } });
const first = await say(thread_id, "전세금 5% 인상 가능해?");
await say(thread_id, "근거 조문을 알려줘");

// The first message is edited: its run begins before it, as a branch beside the first one.
const history = await client.threads.getHistory(thread_id, { limit: 100 });
const told = history.findLast((state) => state.values.messages?.some((one) => one.id === first[0].id));
await say(thread_id, "월세 5% 인상 가능해?", told.parent_checkpoint);
const branches = (await client.threads.getHistory(thread_id, { limit: 100 })).filter(
  (state) => state.parent_checkpoint?.checkpoint_id === told.parent_checkpoint.checkpoint_id,
);
console.log(`${branches.length} branches, found again in ${(await client.threads.search({ ids: [thread_id] })).length} thread`);
