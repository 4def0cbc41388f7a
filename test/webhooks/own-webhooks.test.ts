import { createServer } from "node:net";
import { verifyWebhook } from "../../clients/typescript/src/webhooks";
import { beforeEach, expect, test } from "vitest";
import { listDeliveries, listGenerationDeliveries } from "../../server/domain/deliveries/delivery";
import { redeliverDelivery } from "../../server/domain/deliveries/redeliver";
import { purgeEvents } from "../../server/domain/deliveries/redispatch-deliveries";
import { MAX_HOSTS } from "../../server/domain/endpoints/own-webhook";
import { revokeEndpoints } from "../../server/domain/endpoints/revoke";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { getSigningSecret, rotateSigningSecret } from "../../server/domain/webhook-secrets/signing-secret";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { openCharacterFixture } from "../characters/character-fixture";
import { listHostileUrls } from "../hostile-urls";
import { listenOnLoopback } from "../loopback";
import { testHub } from "../hub";
import { sessionHeaders } from "../session";
import { openReceiver } from "./receiver";
import { verifyEverywhere } from "./verify";
import { newWebhookAccount } from "./webhook-account";

const PATH = "/api/v1/hub/generations";
const SECRET = "/api/v1/hub/webhooks/signing-secret";
const receiver = await openReceiver();
const [failing, training] = [await openReceiver(), await openReceiver()];
const hosts = Array.from({ length: MAX_HOSTS + 5 }, (_, n) => `127.0.0.1:${n + 1}`);
const settings = {
  OUTBOUND_ALLOW_HOSTS: [receiver.host, failing.host, training.host, ...hosts].join(","),
};
const host = await openRunningHost(settings);
const { hub } = host;
const completed = ["generation.completed" as const];

beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond = (response) => void response.writeHead(204).end();
});

const create = (customer: Customer, webhook: object, headers: Record<string, string> = {}) =>
  callApi(host, "POST", PATH, {
    key: customer.key,
    body: { model: "sandbox-image", input: { prompt: "a lighthouse" }, webhook },
    headers,
  });

test("is delivered, signed with the account's secret, without any other webhook", async () => {
  const customer = await newCustomer(hub);
  const reply = await create(customer, { url: receiver.url });
  expect(reply.status).toBe(202);
  expect(JSON.stringify(reply.body)).not.toContain(receiver.host);
  await expect.poll(() => receiver.events()).toEqual(completed);
  const headers = await sessionHeaders(hub, customer.account);
  const { body } = await callApi(host, "GET", SECRET, { headers });
  const [{ headers: sent, body: bytes }] = receiver.received as [(typeof receiver.received)[0]];
  await verifyEverywhere(body.secret as string, sent, bytes);
  const event = await verifyWebhook({ headers: sent, body: bytes, secret: body.secret as string });
  expect(event).toMatchObject({
    event: "generation.completed",
    data: { id: reply.body.id, status: "succeeded" },
  });
  expect((await callApi(host, "GET", "/api/v1/hub/webhooks", { key: customer.key })).body.data).toEqual([]);
  // Chats of the account still use the short statements.
  expect(await hub.db.query("SELECT follows_events FROM account WHERE id = $1", [customer.account])).toEqual([
    { follows_events: false },
  ]);
});

test("gets the events that it names, beside the account's own webhooks, and five of these remain possible", async () => {
  const account = await newWebhookAccount(hub);
  for (let made = 0; made < 5; made += 1) await account.createWebhook(receiver.url, ["generation.running"]);
  const webhook = { url: `${receiver.url}?job=7`, events: ["generation.running" as const, ...completed] };
  const id = await account.queueGeneration(undefined, webhook);
  await account.markRunning(id);
  await account.succeed(id);
  await expect.poll(() => receiver.received.length).toBe(7);
  const deliveries = await listGenerationDeliveries(account.ctx, id);
  expect(deliveries.filter(({ url }) => url === webhook.url).map(({ event }) => event)).toEqual(webhook.events);
  expect(deliveries.filter(({ url }) => url === receiver.url)).toHaveLength(5);
});

test("a worker's job announces its start once, however often it is leased", async () => {
  const account = await newWebhookAccount(hub);
  const id = await account.queueGeneration(undefined, { url: receiver.url, events: ["generation.running"] });
  await hub.db.query("UPDATE generation SET provider = 'worker', model = 'gpu-own' WHERE id = $1", [id]);
  expect(await leaseNextJob(hub, { tokenId: null }, ["gpu-own"])).toMatchObject({ id, fence: 1 });
  await hub.db.query("UPDATE generation SET status = 'queued', claim_expires_at = NULL WHERE id = $1", [id]);
  await hub.db.query("UPDATE account SET running = 0 WHERE id = $1", [account.ctx.account.id]);
  expect(await leaseNextJob(hub, { tokenId: null }, ["gpu-own"])).toMatchObject({ id, fence: 2 });
  expect(await listGenerationDeliveries(account.ctx, id)).toMatchObject([{ event: "generation.running" }]);
});

test("is retried on the schedule, keeps its log at its host, and can be sent again by hand", async () => {
  const account = await newWebhookAccount(hub);
  let failures = 0;
  failing.respond = (response) => void response.writeHead((failures += 1) <= 2 ? 500 : 200).end();
  hub.clock.freeze();
  const id = await account.queueGeneration(undefined, { url: failing.url, events: completed });
  await account.cancel(id);
  const find = async () => (await listGenerationDeliveries(account.ctx, id))[0]!;
  for (const [index, delay] of [30_000, 120_000].entries()) {
    await expect.poll(async () => (await find()).attempts.length).toBe(index + 1);
    expect((await find()).next_attempt_at).toEqual(new Date(hub.now().getTime() + delay));
    hub.clock.advance(delay);
  }
  await expect.poll(async () => (await find()).state).toBe("succeeded");
  const delivery = await find();
  expect((await listDeliveries(account.ctx, delivery.endpoint_id, { limit: 10 })).data).toHaveLength(1);

  await redeliverDelivery(account.ctx, delivery.id);
  await expect.poll(() => failing.received.length).toBe(4);
  expect(new Set(failing.received.map(({ body }) => body.toString())).size).toBe(1);

  const other = await newWebhookAccount(hub);
  await expect(redeliverDelivery(other.ctx, delivery.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(listDeliveries(other.ctx, delivery.endpoint_id, { limit: 1 })).rejects.toMatchObject({ status: 404 });
  expect(await listGenerationDeliveries(other.ctx, id)).toEqual([]);
});

test("after a rotation both secrets sign, and only a session reads or rotates them", async () => {
  const account = await newWebhookAccount(hub);
  const old = await getSigningSecret(account.ctx);
  expect(await getSigningSecret(account.ctx)).toEqual({ ...old, previous_expires_at: null });
  const { secret, previous_expires_at } = await rotateSigningSecret(account.ctx);
  expect(Date.parse(previous_expires_at!) - hub.now().getTime()).toBe(24 * 3_600_000);
  await account.cancel(await account.queueGeneration(undefined, { url: receiver.url, events: completed }));
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  expect(headers["x-service-signature-previous"]).toBeDefined();
  await verifyEverywhere(secret, headers, body);
  await verifyEverywhere(old.secret, { ...headers, "x-service-signature": headers["x-service-signature-previous"] }, body); // prettier-ignore

  const customer = await newCustomer(hub);
  for (const method of ["GET", "POST"]) {
    expect((await callApi(host, method, SECRET, { key: customer.key })).status).toBe(401);
  }
  const session = { headers: await sessionHeaders(hub, customer.account) };
  const first = await callApi(host, "POST", SECRET, session);
  expect(first).toMatchObject({ status: 200, body: { previous_expires_at: null } });
  expect((await callApi(host, "GET", SECRET, session)).body).toEqual(first.body);
});

test.each([
  [{}, "webhook.url"],
  [{ url: "http://example.com/hook" }, "webhook.url"],
  [{ url: "https://no-such-host.invalid/" }, "webhook.url"],
  [{ url: receiver.url, events: [] }, "webhook.events"],
  [{ url: receiver.url, events: ["generation.started"] }, "webhook.events.0"],
  [{ url: receiver.url, events: ["generation.completed", "payment.succeeded"] }, "webhook.events.1"],
  [{ url: receiver.url, secret: "whsec_mine" }, "webhook.secret"],
])("rejects %j with 400 at %s, and holds nothing", async (webhook, place) => {
  const customer = await newCustomer(hub);
  const { status, body } = await create(customer, webhook);
  expect({ status, places: Object.keys(body.errors as object) }).toEqual({ status: 400, places: [place] });
  expect((await callApi(host, "GET", PATH, { key: customer.key })).body.data).toEqual([]);
});

test("rejects every hostile URL and connects to none", async () => {
  let connections = 0;
  const port = await listenOnLoopback(createServer(() => (connections += 1)));
  const customer = await newCustomer(hub);
  for (const url of listHostileUrls(port)) {
    const { status, body } = await create(customer, { url });
    expect({ url, status, code: body.code }).toEqual({ url, status: 400, code: "invalid_input" });
  }
  expect(connections).toBe(0);
});

test("the webhook is part of the fingerprint of an idempotency key", async () => {
  const customer = await newCustomer(hub);
  const key = { "idempotency-key": "one" };
  expect((await create(customer, { url: receiver.url }, key)).status).toBe(202);
  await expect.poll(() => receiver.received.length).toBe(1);
  expect((await create(customer, { url: receiver.url }, key)).status).toBe(200);
  const { status, body } = await create(customer, { url: `${receiver.url}/other` }, key);
  expect({ status, code: body.code }).toEqual({ status: 409, code: "idempotency_conflict" });
  expect(receiver.received).toHaveLength(1);
});

test("of concurrent generations with more hosts, a hundred hosts are accepted, and unused ones are forgotten", async () => {
  const quiet = await testHub(settings);
  const account = await newWebhookAccount(quiet);
  const urls = hosts.map((name) => `https://${name}/hook`);
  const queue = (url: string) => account.queueGeneration(undefined, { url, events: completed });
  const results: PromiseSettledResult<unknown>[] = [];
  const sent = [...urls, ...urls.slice(0, 20)];
  // More than the hub has connections, but few enough that none waits for a connection until the time limit.
  for (let at = 0; at < sent.length; at += 20)
    results.push(...(await Promise.allSettled(sent.slice(at, at + 20).map(queue))));
  const rejected = results.filter((result) => result.status === "rejected");
  for (const { reason } of rejected) {
    expect(reason).toMatchObject({ status: 400, extras: { errors: { "webhook.url": expect.anything() as unknown } } });
  }
  const count = async () =>
    (await quiet.db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM endpoint WHERE account_id = $1",
      [account.ctx.account.id],
    ))[0]!.n; // prettier-ignore
  expect(await count()).toBe(MAX_HOSTS);
  expect(rejected.length).toBeGreaterThanOrEqual(5);
  await account.createWebhook(receiver.url);

  quiet.clock.advance(31 * 86_400_000);
  await purgeEvents(quiet, 1_000);
  expect(await count()).toBe(MAX_HOSTS + 1);
  // Hosts that a waiting generation names are kept.
  await quiet.db.query("UPDATE generation SET webhook = NULL WHERE account_id = $1", [account.ctx.account.id]);
  await purgeEvents(quiet, 1_000);
  expect(await count()).toBe(1);
});

test("revoking all webhooks of an account stops own ones, and replaces the secret", async () => {
  const account = await newWebhookAccount(hub);
  const { secret } = await getSigningSecret(account.ctx);
  const id = await account.queueGeneration(undefined, { url: receiver.url, events: completed });
  await hub.db.transaction((tx) => revokeEndpoints(tx, account.ctx.account.id, hub.now()));
  await account.cancel(id);
  expect(await listGenerationDeliveries(account.ctx, id)).toEqual([]);
  await account.cancel(await account.queueGeneration(undefined, { url: receiver.url, events: completed }));
  await expect.poll(() => receiver.received.length).toBe(1);
  expect((await getSigningSecret(account.ctx)).secret).not.toBe(secret);
});

test("a training has it, also when it is resumed after its host was forgotten, unless that was revoked", async () => {
  const fixture = await openCharacterFixture(host);
  const draft = await fixture.createDraft({ images: [`sha256:${"0".repeat(64)}`] });
  const rejected = await fixture.start(draft.id, { webhook: { url: "https://10.0.0.1/" } });
  expect(rejected).toMatchObject({ status: 400, body: { errors: { "webhook.url": expect.anything() as unknown } } });
  expect((await fixture.start(draft.id, { webhook: { url: training.url } })).status).toBe(202);
  await fixture.cancel(draft.id);
  await expect.poll(() => training.events()).toEqual(completed);
  const cancelAgain = async () => {
    expect((await fixture.resume(draft.id)).status).toBe(202);
    expect((await fixture.cancel(draft.id)).status).toBe(200);
  };
  await cancelAgain();
  await expect.poll(() => training.events()).toEqual([...completed, ...completed]);

  const listHosts = () =>
    hub.db.query<{ id: string }>("SELECT id FROM endpoint WHERE account_id = $1", [fixture.customer.account]);
  const listDeliveries = (condition = "true") =>
    hub.db.query(
      `SELECT d.id FROM delivery d JOIN event e ON e.n = d.event_n WHERE e.account_id = $1 AND ${condition}`,
      [fixture.customer.account],
    );
  const forgetOld = async () => {
    // Received is not yet recorded as delivered, and the host of a pending delivery is kept.
    await expect.poll(() => listDeliveries("d.state = 'pending'")).toEqual([]);
    hub.clock.advance(31 * 86_400_000);
    await purgeEvents(hub, 1_000);
  };
  await forgetOld();
  expect(await listHosts()).toEqual([]);
  await cancelAgain();
  await expect.poll(() => training.received.length).toBe(3);

  const [forgotten] = await listHosts();
  expect((await fixture.send("DELETE", `/api/v1/hub/webhooks/${forgotten!.id}`)).status).toBe(204);
  await forgetOld();
  await cancelAgain();
  expect(await listDeliveries()).toEqual([]);
});
