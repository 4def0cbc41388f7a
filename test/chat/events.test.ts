import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openReceiver } from "../webhooks/receiver";
import { openChatHost, userMessages } from "./host";

const receiver = await openReceiver();
const host = await openChatHost({ OUTBOUND_ALLOW_HOSTS: receiver.host });

interface Envelope {
  event: string;
  created_at: string;
  data: Record<string, unknown> & { id: string };
}
const readFeed = async ({ key }: Customer) =>
  (await callApi(host, "GET", "/api/v1/hub/events", { key })).body.data as Envelope[];
const readGeneration = async ({ key }: Customer, id: unknown) =>
  (await callApi(host, "GET", `/api/v1/hub/generations/${String(id)}`, { key })).body;
const newFollower = async () => {
  const customer = await newCustomer(host.hub);
  await readFeed(customer);
  return customer;
};

test("a chat sends generation.running with the generation as it runs, then generation.completed", async () => {
  const customer = await newFollower();
  const { body } = await host.chat(customer.key, { messages: userMessages("hello"), temperature: 0.5 });
  const completed = await readGeneration(customer, body.id);
  expect(await readFeed(customer)).toMatchObject([
    {
      event: "generation.running",
      created_at: completed.started_at,
      data: { ...completed, status: "running", billed_cost: null, completed_at: null, progress: null, usage: null },
    },
    { event: "generation.completed", created_at: completed.completed_at, data: completed },
  ]);
});

test("a failed chat sends both events, a rejected chat none", async () => {
  const customer = await newFollower();
  expect((await host.chat(customer.key, { messages: userMessages("do:refuse") })).status).toBe(400);
  expect((await host.chat(customer.key, { messages: userMessages("hello"), n: 2 })).status).toBe(400);
  expect(
    (await host.chat(customer.key, { messages: userMessages("hello"), max_tokens: 1e9, model: "none" })).status,
  ).toBe(404);
  const events = (await readFeed(customer)).map(({ event, data }) => [event, data.status]);
  expect(events).toEqual([
    ["generation.running", "running"],
    ["generation.completed", "failed"],
  ]);
});

test("chats accepted in one batch send their events in order, and only to accounts with webhooks", async () => {
  const withWebhooks = await Promise.all([newFollower(), newFollower(), newFollower()]);
  const withoutWebhooks = await Promise.all([newCustomer(host.hub), newCustomer(host.hub)]);
  // Some chats of one account are not covered, which splits the statement.
  const poor = await newCustomer(host.hub, { credit: 0.003 });
  await readFeed(poor);
  const customers = [...withWebhooks, ...withoutWebhooks, poor];
  const chats = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const customer = customers[n % customers.length]!;
      const { status, body } = await host.chat(customer.key, {
        messages: userMessages(`hello ${n}`),
        max_tokens: 1000,
      });
      return status === 200 ? [{ customer, id: String(body.id) }] : [];
    }),
  );
  for (const customer of [...withWebhooks, poor]) {
    const events = await readFeed(customer);
    const own = chats.flat().filter((chat) => chat.customer === customer);
    expect(events).toHaveLength(own.length * 2);
    for (const { id } of own) {
      const [running, completed] = events.filter(({ data }) => data.id === id);
      expect([running?.event, completed?.event]).toEqual(["generation.running", "generation.completed"]);
      expect(Date.parse(running!.created_at)).toBeLessThanOrEqual(Date.parse(completed!.created_at));
    }
  }
  const ids = withoutWebhooks.map(({ account }) => account);
  expect(await host.hub.db.query("SELECT FROM event WHERE account_id = ANY ($1::int[])", [ids])).toEqual([]);
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

test("dispatches both deliveries of a chat to the job engine", async () => {
  const customer = await newCustomer(host.hub);
  const body = { url: receiver.url, events: ["generation.running", "generation.completed"] };
  expect((await callApi(host, "POST", "/api/v1/hub/webhooks", { key: customer.key, body })).status).toBe(201);
  const before = host.hub.published.length;
  await host.chat(customer.key, { messages: userMessages("hello") });
  const deliveries = await host.hub.db.query<{ id: string }>(
    "SELECT d.id FROM delivery d JOIN event e ON e.n = d.event_n WHERE e.account_id = $1 ORDER BY e.n",
    [customer.account],
  );
  expect(deliveries).toHaveLength(2);
  const published = host.hub.published.slice(before).map(({ name, data }) => ({ name, id: "id" in data && data.id }));
  expect(published).toEqual(deliveries.map(({ id }) => ({ name: "delivery/due", id })));
});
