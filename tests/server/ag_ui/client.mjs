// A conversation through AG-UI's own client; prints one JSON object.
import { HttpAgent } from "@ag-ui/client";

const [address, assistant, ...texts] = process.argv.slice(2);
const agent = new HttpAgent({ url: `${address}/ag-ui/${assistant}` });
const seen = { events: [] };
for (const [number, content] of texts.entries()) {
  agent.addMessage({ id: `question-${number}`, role: "user", content });
  await agent.runAgent({}, { onEvent: ({ event }) => { seen.events.push(event.type); } });
}
seen.messages = agent.messages.map((message) => [message.role, message.content]);
seen.thread = agent.threadId;
console.log(JSON.stringify(seen));
process.exit(0);
