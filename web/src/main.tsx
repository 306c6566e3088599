// The entry: words, colours and the page.

import "pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css";
// The styles of what is loaded later come with the first ones: a chunk brings no style of its own.
import "@xyflow/react/dist/base.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/talk.css";
import "./styles/panel.css";
import "./styles/inspector.css";
import "./styles/more.css";
import { createRoot } from "react-dom/client";
import { resumeOutbox } from "./state/outbox";
import { start } from "./state/sessions";
import "./state/theme";
import { App } from "./views/App";

const kept = Number(localStorage.getItem("panel"));
if (kept) document.documentElement.style.setProperty("--panel", `${kept}px`);
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
void start();
resumeOutbox();
