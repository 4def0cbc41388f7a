import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface OpenLoad {
  url: string;
  body: string;
  /** API keys that requests use in turn. */
  keys: string[];
  perSecond: number;
  seconds: number;
  /** How many requests may be in flight; others wait in the client, and that wait counts. */
  connections?: number;
}

/** How the requests of an open load ended; times in milliseconds from when each was due. */
export interface OpenMeasured {
  accepted: number[];
  shed: number[];
  /** Neither 200 nor 503. */
  failed: number;
}

interface Due {
  request: string;
  dueAt: number;
  done: () => void;
}

const INTERVAL_MS = 2;
const HEAD_END = "\r\n\r\n";

/**
 * Sends requests at a fixed rate, however many are in flight, like independent clients. Uses raw sockets that are
 * opened beforehand, because a client that takes as much CPU time as the server would measure itself.
 */
export async function generateOpenLoad(load: OpenLoad): Promise<OpenMeasured> {
  const { keys, perSecond, seconds, connections = 3_000 } = load;
  const measured: OpenMeasured = { accepted: [], shed: [], failed: 0 };
  const waiting: Due[] = [];
  const idle: Connection[] = [];
  // Few at a time: connections that overflow the server's queue would be opened anew after a second.
  while (idle.length < connections)
    idle.push(...(await Promise.all(Array.from({ length: 100 }, () => openConnection(load.url)))));
  const all = [...idle];
  const sendNext = () => {
    while (idle.length > 0 && waiting.length > 0) send(idle.pop()!, waiting.shift()!);
  };
  const send = (connection: Connection, { request, dueAt, done }: Due) =>
    connection.send(request, (status) => {
      const ms = performance.now() - dueAt;
      if (status === 200) measured.accepted.push(ms);
      else if (status === 503) measured.shed.push(ms);
      else measured.failed += 1;
      idle.push(connection);
      done();
      sendNext();
    });

  const requests = keys.map((key) => formatRequest(load, key));
  const total = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  const ended: Promise<void>[] = [];
  while (ended.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond);
    while (ended.length < due) {
      const dueAt = startedAt + (ended.length * 1000) / perSecond;
      const request = requests[ended.length % requests.length]!;
      ended.push(new Promise((done) => waiting.push({ request, dueAt, done })));
    }
    sendNext();
    await sleep(INTERVAL_MS);
  }
  await Promise.all(ended);
  for (const { socket } of all) socket.destroy();
  return measured;
}

function formatRequest({ url, body }: OpenLoad, key: string): string {
  const { host, pathname } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}${HEAD_END}${body}`;
}

interface Connection {
  socket: Socket;
  /** Sends a request; `onResponse` gets the status of its response once that is whole, 0 if the socket breaks. */
  send(request: string, onResponse: (status: number) => void): void;
}

async function openConnection(url: string): Promise<Connection> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let text = "";
  let onResponse: ((status: number) => void) | undefined;
  const end = (status: number) => {
    const report = onResponse;
    text = "";
    onResponse = undefined;
    report?.(status);
  };
  socket.setEncoding("latin1").on("error", () => undefined).on("close", () => end(0)); // prettier-ignore
  socket.on("data", (chunk: string) => {
    text += chunk;
    const headEnd = text.indexOf(HEAD_END);
    const length = headEnd === -1 ? null : /\r\ncontent-length: (\d+)/i.exec(text);
    if (length && text.length >= headEnd + HEAD_END.length + Number(length[1])) end(Number(text.slice(9, 12)));
  });
  return {
    socket,
    send(request, onEnd) {
      onResponse = onEnd;
      if (socket.destroyed) return end(0);
      socket.write(request);
    },
  };
}
