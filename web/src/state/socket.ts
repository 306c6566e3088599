// A socket on one session that mends itself: what was missed comes first, in order, then what is new.

import type { Frame } from "../api/types";
import { readKey } from "../api/key";

export interface Listener {
  after(): number;
  frame(frame: Frame): void;
  caughtUp(hello: Frame): void;
  lost(since: number): void;
  gone(): void;
  refused(): Promise<void>;
}

export interface Line {
  send(frame: object): boolean;
  close(): void;
  hurry(): void;
}

const LONGEST = 8000;

export function openLine(sessionId: string, listener: Listener): Line {
  let socket: WebSocket | null = null;
  let hello: Frame | null = null;
  let ready = false;
  let closed = false;
  let tries = 0;
  let timer = 0;

  const caughtUp = (): void => {
    if (!hello || ready || listener.after() < (hello.last_seq ?? 0)) return;
    ready = true;
    tries = 0;
    listener.caughtUp(hello);
  };

  const connect = (): void => {
    clearTimeout(timer);
    const key = readKey();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const own = new WebSocket(
      `${scheme}://${location.host}/ws/${encodeURIComponent(sessionId)}?after=${listener.after()}`,
      key ? ["madang", `madang.bearer.${key}`] : ["madang"],
    );
    socket = own;
    hello = null;
    ready = false;
    own.onmessage = (event) => {
      if (socket !== own) return;
      const frame = JSON.parse(String(event.data)) as Frame;
      if (frame.type === "connected") hello = frame;
      else listener.frame(frame);
      caughtUp();
    };
    own.onclose = (event) => {
      if (socket !== own || closed) return;
      socket = null;
      ready = false;
      if (event.code === 4004) return listener.gone();
      if (event.code === 4401) return void listener.refused().then(connect);
      listener.lost(Date.now());
      timer = window.setTimeout(connect, Math.min(LONGEST, 300 * 2 ** tries++));
    };
  };

  connect();
  return {
    send(frame) {
      if (!socket || socket.readyState !== WebSocket.OPEN || !ready) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
      socket = null;
    },
    hurry() {
      if (socket || closed) return;
      tries = 0;
      connect();
    },
  };
}
