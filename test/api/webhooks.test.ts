import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { listHostileUrls } from "../hostile-urls";
import { listenOnLoopback } from "../loopback";
import { openReceiver } from "../webhooks/receiver";
import { callApi, type Reply } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openHosts } from "./hosts";

const receiver = await openReceiver();
const hosts = await openHosts({ OUTBOUND_ALLOW_HOSTS: receiver.host });
const PATH = "/api/v1/hub/webhooks";
const events = ["generation.completed"];

let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
const port = await listenOnLoopback(listener);

describe.each(hosts)("webhooks on $name", (host) => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await newCustomer(host.hub);
  });
  const create = (body: object, { key } = customer) => callApi(host, "POST", PATH, { key, body });
  const list = async ({ key } = customer) =>
    (await callApi(host, "GET", PATH, { key })).body.data as Record<string, unknown>[];
  const made = async (of: Customer) => (await create({ url: receiver.url, events }, of)).body as { id: string };

  test("create returns the secret, lists never do, and a deleted webhook is 404", async () => {
    const own = await newCustomer(host.hub);
    const created = await create({ url: receiver.url, events: ["generation.running", "generation.completed"] }, own);
    expect(created.status).toBe(201);
    const { secret, ...record } = created.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toEqual({
      id: expect.any(String) as string,
      url: receiver.url,
      events: ["generation.running", "generation.completed"],
      status: "active",
      created_at: expect.any(String) as string,
      last_error: null,
    });
    expect(await list(own)).toEqual([record]);
    const path = `${PATH}/${String(record.id)}`;
    expect((await callApi(host, "DELETE", path, { key: own.key })).status).toBe(204);
    expect((await callApi(host, "DELETE", path, { key: own.key })).body.code).toBe("resource_not_found");
    expect(await list(own)).toEqual([{ ...record, status: "revoked" }]);
    for (const verb of ["test", "rotate-secret"]) {
      expect((await callApi(host, "POST", `${path}/${verb}`, { key: own.key })).body.code).toBe("resource_not_found");
    }
  });

  test("the database does not contain the secret in plain text", async () => {
    const { secret } = (await create({ url: receiver.url, events })).body as { secret: string };
    const [{ text }] = (await host.hub.db.query<{ text: string }>(
      "SELECT string_agg(endpoint::text || encode(secret, 'escape'), ' ') AS text FROM endpoint",
    )) as [{ text: string }];
    expect(text).not.toContain(secret.slice(6, 20));
    expect(text).not.toContain(Buffer.from(secret.slice(6), "base64").toString("hex").slice(0, 16));
  });

  test("concurrent requests create at most five webhooks; a revoked one frees a slot", async () => {
    const own = await newCustomer(host.hub);
    const replies = await Promise.all(Array.from({ length: 30 }, () => create({ url: receiver.url, events }, own)));
    const won = replies.filter(({ status }) => status === 201);
    expect(won).toHaveLength(5);
    for (const rejected of replies.filter(({ status }) => status !== 201)) {
      expect(rejected.body).toMatchObject({
        code: "invalid_input",
        detail: expect.stringContaining("5 active") as string,
      });
    }
    expect((await list(own)).filter(({ status }) => status === "active")).toHaveLength(5);
    await callApi(host, "DELETE", `${PATH}/${String(won[0]!.body.id)}`, { key: own.key });
    const after = await Promise.all(Array.from({ length: 5 }, () => create({ url: receiver.url, events }, own)));
    expect(after.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test.each([
    [{ events }, "url"],
    [{ url: "", events }, "url"],
    [{ url: 7, events }, "url"],
    [{ url: "http://example.com/hook", events }, "url"],
    [{ url: "https://user:pass@example.com/hook", events }, "url"],
    [{ url: "https://no-such-host.invalid/hook", events }, "url"],
    [{ url: `https://example.com/${"a".repeat(2_048)}`, events }, "url"],
    [{ url: "https://example.com/hook" }, "events"],
    [{ url: "https://example.com/hook", events: [] }, "events"],
    [{ url: "https://example.com/hook", events: "generation.completed" }, "events"],
    [{ url: "https://example.com/hook", events: ["generation.started"] }, "events.0"],
    [{ url: "https://example.com/hook", events: ["generation.running", "generation.running"] }, "events"],
    [{ url: "https://example.com/hook", events, secret: "whsec_mine" }, "secret"],
  ])("rejects %j with 400 and errors.%s", async (body, location) => {
    const { status, body: problem } = await create(body);
    expect({ status, code: problem.code }).toEqual({ status: 400, code: "invalid_input" });
    expect(Object.keys(problem.errors as object)).toEqual([location]);
  });

  test("rejects every hostile URL and connects to none", async () => {
    const urls = listHostileUrls(port);
    expect(urls.length).toBeGreaterThanOrEqual(80);
    for (const url of urls) {
      const { status, body } = await create({ url, events });
      expect({ url, status, code: body.code }).toEqual({ url, status: 400, code: "invalid_input" });
    }
    expect(connections).toBe(0);
  });

  test("a rotation returns the new secret once, with the record", async () => {
    const own = await newCustomer(host.hub);
    const { body } = await create({ url: receiver.url, events }, own);
    const rotated = await callApi(host, "POST", `${PATH}/${String(body.id)}/rotate-secret`, { key: own.key });
    expect(rotated.status).toBe(200);
    expect({ ...rotated.body, secret: null }).toEqual({ ...body, secret: null });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(body.secret);
  });

  test("deliveries are listed with their attempts, in pages, and can be sent again", async () => {
    const own = await newCustomer(host.hub);
    const { id } = await made(own);
    const sent: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const reply = await callApi(host, "POST", `${PATH}/${id}/test`, { key: own.key });
      expect(reply.status).toBe(202);
      expect(reply.body).toMatchObject({ webhook_id: id, event: "webhook.test", status: "pending", attempts: [] });
      sent.unshift(reply.body.id);
    }
    const page = (query: string) => callApi(host, "GET", `${PATH}/${id}/deliveries${query}`, { key: own.key });
    const ids = ({ body }: Reply) => (body.data as { id: string }[]).map((delivery) => delivery.id);
    expect(ids(await page(""))).toEqual(sent);
    const first = await page("?limit=2");
    expect(ids(first)).toEqual(sent.slice(0, 2));
    const second = await page(`?limit=2&cursor=${String(first.body.next_cursor)}`);
    expect(ids(second)).toEqual(sent.slice(2));
    expect(second.body.next_cursor).toBeNull();
    const other = await made(own);
    const otherAccountsPath = `${PATH}/${other.id}/deliveries?cursor=${String(first.body.next_cursor)}`;
    expect((await callApi(host, "GET", otherAccountsPath, { key: own.key })).body.errors).toHaveProperty("cursor");
    for (const limit of ["0", "101", "x", "-1"]) expect((await page(`?limit=${limit}`)).status).toBe(400);

    const again = await callApi(host, "POST", `${PATH}/deliveries/${String(sent[0])}/redeliver`, { key: own.key });
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ id: sent[0], status: "pending" });
  });

  test("another account's webhooks and deliveries are missing", async () => {
    const { id } = await made(customer);
    const { body: delivery } = await callApi(host, "POST", `${PATH}/${id}/test`, { key: customer.key });
    const { key } = await newCustomer(host.hub);
    for (const [method, path] of [
      ["DELETE", `${PATH}/${id}`],
      ["POST", `${PATH}/${id}/test`],
      ["POST", `${PATH}/${id}/rotate-secret`],
      ["GET", `${PATH}/${id}/deliveries`],
      ["POST", `${PATH}/deliveries/${String(delivery.id)}/redeliver`],
    ] as const) {
      expect((await callApi(host, method, path, { key })).body.code, path).toBe("resource_not_found");
    }
    expect(await list({ ...customer, key })).toEqual([]);
    expect((await list()).some((one) => one.id === id && one.status === "active")).toBe(true);
  });
});
