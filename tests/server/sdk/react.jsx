// A chat as an engineer would write it with @langchain/react. The test presses its buttons.
import React, { useState } from "react";
import { createRoot } from "react-dom/client";
import { useStream } from "@langchain/react";

const asked = new URLSearchParams(location.search);

function Message({ stream, message }) {
  const edit = async () => {
    const history = await stream.client.threads.getHistory(stream.threadId, { limit: 100 });
    const first = history.findLast((past) => past.values.messages?.some((one) => one.id === message.id));
    const forkFrom = first.parent_checkpoint.checkpoint_id;
    stream.submit({ messages: [{ type: "human", content: `${message.text} (edited)` }] }, { forkFrom });
  };
  return (
    <li data-type={message.type} data-id={message.id}>
      <span>{message.text}</span>
      {message.type === "human" && <button onClick={edit}>edit</button>}
    </li>
  );
}

function Chat() {
  const [threadId, setThreadId] = useState(asked.get("thread"));
  const [text, setText] = useState("");
  const stream = useStream({
    apiUrl: location.origin,
    assistantId: asked.get("assistant"),
    transport: asked.get("transport") ?? "sse",
    threadId,
    onThreadId: (made) => {
      setThreadId(made);
      asked.set("thread", made);
      history.replaceState(null, "", `?${asked}`);
    },
  });
  const send = (event) => {
    event.preventDefault();
    stream.submit({ messages: [{ type: "human", content: text }] });
    setText("");
  };
  return (
    <main data-loading={String(stream.isLoading)}>
      <ol>
        {stream.messages.map((message) => (
          <Message key={message.id} stream={stream} message={message} />
        ))}
      </ol>
      <ul>
        {stream.toolCalls.map((call) => (
          <li key={call.id ?? call.callId}>{`${call.name} ${call.status}`}</li>
        ))}
      </ul>
      {stream.interrupt && (
        <section>
          <p>{stream.interrupt.value.question}</p>
          {/* After a reload the question is shown before the client's stream has told of it: it has to be named. */}
          <button onClick={() => stream.respond("yes", { interruptId: stream.interrupt.id })}>answer</button>
        </section>
      )}
      {stream.error != null && <output>{String(stream.error)}</output>}
      <form onSubmit={send}>
        <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
      <button onClick={() => stream.stop()}>stop</button>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Chat />);
