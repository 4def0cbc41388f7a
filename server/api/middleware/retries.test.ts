import { createServer } from "node:http";
import net, { type Socket } from "node:net";
import { expect, test } from "vitest";
import { listenOnLoopback } from "../../../test/loopback";
import { watchDelivery } from "./retries";

const LARGE_BYTES = 16_000_000;

/** Returns whether a response is reported as delivered to a client that sends a request and then calls `act`. */
async function deliver(bytes: number, header: string, act: (client: Socket) => void): Promise<boolean> {
  let delivered: Promise<boolean> | undefined;
  const server = createServer((_request, response) => {
    delivered = watchDelivery(response);
    response.end(Buffer.alloc(bytes));
  });
  const client = net.connect(await listenOnLoopback(server), "127.0.0.1");
  client.on("error", () => undefined);
  client.write(`GET / HTTP/1.1\r\nHost: hub.test\r\n${header}\r\n`);
  await new Promise((resolve) => client.once("readable", resolve));
  act(client);
  const answer = await delivered!;
  client.destroy();
  server.close();
  return answer;
}

const readAll = (client: Socket) => void client.resume();

test.each([
  ["small", 10, ""],
  ["large", LARGE_BYTES, ""],
  ["the last of its connection", 10, "Connection: close\r\n"],
  ["large and the last of its connection", LARGE_BYTES, "Connection: close\r\n"],
])("reports a response that is %s and read as delivered", async (_name, bytes, header) => {
  expect(await deliver(bytes, header, readAll)).toBe(true);
});

test.each<[string, (client: Socket) => void]>([
  ["closes", (client) => client.destroy()],
  ["resets", (client) => client.resetAndDestroy()],
  ["ends, and closes later", (client) => client.end(() => setImmediate(() => client.destroy()))],
])("does not report a response as delivered whose client %s in the middle", async (_name, act) => {
  expect(await deliver(LARGE_BYTES, "", act)).toBe(false);
});
