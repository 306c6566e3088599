// Enter sends, unless a Korean syllable is still being put together.

import type { KeyboardEvent } from "react";

export const isSend = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);
