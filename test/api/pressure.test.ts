import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { callApi, type Reply } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();
const GENERATIONS = "/api/v1/hub/generations";
const CHATS = "/api/v1/hub/chat/completions";
/** More requests than are admitted in any case. */
const ENOUGH = 300;
const BODY = { model: "sandbox-image", input: { prompt: "a tree" } };

test("while ledger writes wait too long, writes are rejected before their bodies are read, and nothing else is", async () => {
  const { key } = await newCustomer(host.hub, { credit: 10 });
  const create = () => callApi(host, "POST", GENERATIONS, { key, body: BODY });
  const me = async () => (await callApi(host, "GET", "/api/v1/me", { key })).body;
  const unlock = await lockGenerations();

  const replies: Promise<Reply>[] = [];
  let rejected: Reply | undefined;
  const send = () => {
    // Once enough are under way, only a few more are needed; more would take all the time of a busy machine.
    const sent = Array.from({ length: replies.length < ENOUGH ? 20 : 1 }, create);
    replies.push(...sent);
    for (const reply of sent) void reply.then((one) => (rejected ??= one));
    return rejected?.status;
  };
  await expect.poll(send, { interval: 50 }).toBe(503);
  expect(rejected!.body).toMatchObject({ code: "service_unavailable" });
  expect(rejected!.headers.get("retry-after")).toBe("1");
  const chat = await callApi(host, "POST", CHATS, { key, body: "{" });
  expect([chat.status, chat.body]).toMatchObject([503, { error: { code: "service_unavailable" } }]);
  expect(await me()).toMatchObject({ balance: 10 });
  expect((await callApi(host, "GET", "/api/v1/health")).status).toBe(200);
  expect((await callApi(host, "GET", "/api/v1/ready")).status).toBe(200);

  await unlock();
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  const accepted = statuses.filter((status) => status === 202).length;
  expect(statuses.filter((status) => status === 503)).toHaveLength(statuses.length - accepted);
  expect(accepted).toBeGreaterThanOrEqual(256);
  expect(await me()).toMatchObject({ available: Number((10 - accepted * 0.0092).toFixed(4)) });
  expect((await create()).status).toBe(202);
});

/** Blocks writes of generations until the returned function is called. */
async function lockGenerations(): Promise<() => Promise<void>> {
  const client = new pg.Client(host.hub.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query("LOCK TABLE generation IN EXCLUSIVE MODE");
  return async () => void (await client.query("COMMIT"));
}
