import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { forwardEvents } from "../../server/cli/listen";
import { reservePort } from "../reserve-port";
import { verifyEverywhere } from "../webhooks/verify";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();

test("hub listen forwards new events, in order and signed, even to a program that starts late", async () => {
  const { key, account } = await newCustomer(host.hub);
  const cancelOne = async () => {
    const body = { model: "sandbox-image", input: { prompt: "x" } };
    const { id } = (await callApi(host, "POST", "/api/v1/hub/generations", { key, body })).body;
    await callApi(host, "POST", `/api/v1/hub/generations/${String(id)}/cancel`, { key });
    return id as string;
  };
  await cancelOne();
  const lines: string[] = [];
  const stop = new AbortController();
  const port = await reservePort();
  const target = `http://127.0.0.1:${port}/hook`;
  const options = { key, forward: target, url: `${host.url}/` };
  const listening = forwardEvents(options, (line) => lines.push(line), stop.signal).catch((error: Error) => error.name);
  const follows = async () =>
    (
      await host.hub.db.query<{ yes: boolean }>("SELECT follows_events AS yes FROM account WHERE id = $1", [account])
    )[0]!.yes;
  await expect.poll(follows).toBe(true);
  const ids = [await cancelOne(), await cancelOne(), await cancelOne()];
  await expect.poll(() => lines.at(-1)).toMatch(/no response from/);

  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(received.length === 2 ? 500 : 200).end();
    });
  }).listen(port, "127.0.0.1");
  await expect.poll(() => received.length).toBe(3);
  await expect.poll(() => lines.length).toBe(5);
  stop.abort();
  expect(await listening).toBe("AbortError");
  server.closeAllConnections();
  server.close();

  const envelopes = received.map(({ body }) => JSON.parse(body.toString()) as { id: string; data: { id: string } });
  expect(envelopes.map(({ data }) => data.id)).toEqual(ids);
  const feed = await callApi(host, "GET", "/api/v1/hub/events", { key });
  expect(envelopes).toEqual(feed.body.data);
  const secret = /whsec_\S+/.exec(lines[0]!)![0];
  for (const { headers, body } of received) await verifyEverywhere(secret, headers, body);
  expect(lines.filter((line) => line.includes(": 500 in"))).toHaveLength(1);
});

test("reports a wrong key, URL or secret in one sentence", async () => {
  const { key } = await newCustomer(host.hub);
  const forward = "http://127.0.0.1:1/hook";
  const fail = (options: object) =>
    forwardEvents({ key, forward, url: host.url, ...options }, () => undefined).catch((error: Error) => error);
  expect(await fail({ key: "service_sk_wrong" })).toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(/401: This API key is not valid/) as string,
  });
  expect(await fail({ forward: "localhost" })).toMatchObject({ name: "OperatorError" });
  for (const secret of ["mine", "whsec_", "whsec_a-b_", "whsec_abc"]) {
    expect(await fail({ secret }), secret).toMatchObject({ name: "OperatorError" });
  }
});
