// A conversation with homes over AG-UI, by the client that CopilotKit uses.
//   npm install @ag-ui/client && node ag_ui_client.mjs http://127.0.0.1:8000 homes
import { HttpAgent } from "@ag-ui/client";

const [address = "http://127.0.0.1:8000", assistant = "homes"] = process.argv.slice(2);
const agent = new HttpAgent({ url: `${address}/ag-ui/${assistant}` });

for (const question of ["전세금 5% 인상 가능해?", "근거 조문을 알려줘"]) {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content: question });
  await agent.runAgent({});
  console.log(`> ${question}\n${agent.messages.at(-1).content}\n`);
}
