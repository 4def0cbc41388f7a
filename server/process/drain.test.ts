import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { openHttp } from "./http";

const CLIENTS = 12;
/** Longer than a drain waits for the next connection. */
const TURN_MS = 120;

// In a thread of its own, so that it sends while the server's loop stands still.
const clients = `
  const { connect } = require("node:net");
  const { parentPort, workerData } = require("node:worker_threads");
  let sent = 0;
  let received = 0;
  let open = ${CLIENTS};
  for (let client = 0; client < ${CLIENTS}; client += 1) {
    const socket = connect(workerData, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\\r\\nHost: hub\\r\\n\\r\\n", () => (sent += 1) === ${CLIENTS} && parentPort.postMessage("sent")));
    socket.on("data", (data) => (received += String(data).includes(" 200 OK") ? 1 : 0)).on("error", () => {});
    socket.on("close", () => (open -= 1) === 0 && parentPort.postMessage(received));
  }`;

test(`a drain answers every request that was sent before, while each turn of the loop takes ${TURN_MS} ms`, async () => {
  const http = await openHttp(0, { listens: "at once" });
  await http.serve((_request, response) => {
    for (const end = performance.now() + TURN_MS; performance.now() < end;);
    response.end();
  });
  const worker = new Worker(clients, { eval: true, workerData: http.port });
  onTestFinished(async () => void (await worker.terminate()));
  expect(await once(worker, "message")).toEqual(["sent"]);
  const received = once(worker, "message");
  await http.drain(20_000);
  expect(await received).toEqual([CLIENTS]);
});
