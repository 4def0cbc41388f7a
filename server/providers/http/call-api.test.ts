import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { listenOnLoopback } from "../../../test/loopback";
import { type Double, type DoubleResponse, openDouble } from "../../../test/providers/double";
import { buildIo, buildProvider } from "../../../test/providers/job";
import type { ProviderSettings } from "../../catalogue/model";
import type { ProviderIo } from "../provider";
import { type ApiRequest, callApi } from "./call-api";
import { getConnection } from "./connection";

const api = { authorize: (key: string) => ({ authorization: `Bearer ${key}` }) };
let double: Double;
let provider: ProviderSettings;
afterEach(() => double.close());

async function call(response: DoubleResponse, request: Partial<ApiRequest>, io = buildIo()) {
  double = await openDouble({ isSubmit: () => true, respond: () => response, describeError: () => undefined });
  provider = buildProvider("openai", `${double.url}/v1`);
  return callApi(api, provider, io, { url: "/large", maxBytes: 64 * 2 ** 20, ...request });
}

async function* endlessChunks() {
  yield Buffer.from("{");
  await new Promise(() => undefined);
}

/** Returns an io whose memory is reserved in this way. */
const reserving = (reserveMemory: ProviderIo["reserveMemory"], io = buildIo()) => ({ ...io, reserveMemory });

test("reads no more of a body than memory is reserved for, and all of it then", async () => {
  let sentBytes = 0;
  let sentBefore = 0;
  let reserved = 0;
  async function* chunks() {
    for (; sentBytes < 32 * 2 ** 20; sentBytes += 2 ** 16) yield Buffer.alloc(2 ** 16, " ");
  }
  const io = reserving(async (bytes) => {
    if (reserved === 0) {
      await expect.poll(() => sentBytes).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      sentBefore = sentBytes;
    }
    reserved += bytes;
  });
  const response = await call({ status: 200, body: chunks() }, { isFile: true, isLarge: true }, io);
  // What is sent ahead waits in the buffers of the sockets.
  expect(sentBefore).toBeLessThan(16 * 2 ** 20);
  expect([response.status, response.bytes.length, reserved]).toEqual([200, 32 * 2 ** 20, 32 * 2 ** 20]);
});

test("a connection that breaks while the body waits for memory leaves open whether the work began", async () => {
  const breakConnection = async () => {
    await double.close();
    await expect.poll(() => getConnection(provider).pool.stats.connected).toBe(0);
  };
  const broken = call({ status: 200, body: endlessChunks() }, { isLarge: true }, reserving(breakConnection));
  await expect(broken).rejects.toMatchObject({ name: "ApiError", started: "unknown" });
});

test("a wait that is aborted ends with the signal's reason and closes the connection", async () => {
  const controller = new AbortController();
  const waitForAbort = (_bytes: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      controller.abort(new Error("stopped"));
    });
  const io = reserving(waitForAbort, buildIo({}, controller.signal));
  const aborted = call({ status: 200, body: endlessChunks() }, { isLarge: true }, io);
  await expect(aborted).rejects.toThrow("stopped");
  await expect.poll(() => getConnection(provider).pool.stats.connected).toBe(0);
});

const PROTOCOL_VERSION_ALERT = Buffer.from([21, 3, 1, 0, 2, 2, 70]);

test.each<[string, (socket: Socket) => void]>([
  ["is closed", (socket) => socket.end()],
  ["is reset", (socket) => socket.resetAndDestroy()],
  ["ends with an alert", (socket) => socket.end(PROTOCOL_VERSION_ALERT)],
])("a connection that %s within the TLS handshake has sent nothing", async (_, end) => {
  const server = createServer((socket) => void socket.once("data", () => end(socket)));
  const origin = `https://127.0.0.1:${await listenOnLoopback(server)}`;
  const request = { method: "POST", url: "/", json: {} } as const;
  const sent = callApi(api, buildProvider("openai", origin), buildIo(), request);
  await expect(sent).rejects.toMatchObject({ name: "ApiError", started: "no" });
  server.close();
});

test("an error is read without reserved memory, and only if it is short: its status says enough", async () => {
  const io = reserving(async () => expect.unreachable());
  const short = await call({ status: 400, body: { error: "no" } }, { isLarge: true }, io);
  expect([short.status, short.body]).toEqual([400, { error: "no" }]);
  await double.close();
  const long = await call({ status: 400, body: { error: "x".repeat(2 * 2 ** 20) } }, { isLarge: true }, io);
  expect([long.status, long.body]).toEqual([400, undefined]);
  await double.close();
  const endless = await call({ status: 502, body: endlessChunks() }, { timeoutMs: 200 });
  expect([endless.status, endless.body]).toEqual([502, undefined]);
});
