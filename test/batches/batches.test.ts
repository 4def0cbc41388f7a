import { beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { completeBatches } from "../../server/domain/batches";
import { purgeEvents } from "../../server/domain/deliveries/redispatch-deliveries";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { newId } from "../../server/lib/id";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openHosts } from "../api/hosts";
import { openReceiver } from "../webhooks/receiver";

const receiver = await openReceiver();
const [host] = await openHosts({ OUTBOUND_ALLOW_HOSTS: receiver.host });
const { hub } = host!;
const PATH = "/api/v1/hub/batches";
const GENERATIONS = "/api/v1/hub/generations";
const COST = 0.0092;

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
});

const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ prompt: `picture ${n}` }));
const create = (body: object, headers: Record<string, string> = {}, { key } = customer) =>
  callApi(host!, "POST", PATH, { key, body: { model: "sandbox-image", ...body }, headers });
const get = (id: unknown, { key } = customer) => callApi(host!, "GET", `${PATH}/${String(id)}`, { key });
const cancel = (id: unknown, { key } = customer) => callApi(host!, "POST", `${PATH}/${String(id)}/cancel`, { key });
const me = async ({ key } = customer) => (await callApi(host!, "GET", "/api/v1/me", { key })).body;
const listIds = async (batch: unknown) => {
  const { body } = await callApi(host!, "GET", `${GENERATIONS}?batch_id=${String(batch)}&limit=100`, {
    key: customer.key,
  });
  return (body.data as { id: string }[]).map(({ id }) => id);
};
const finish = (id: string, to: "succeeded" | "failed") =>
  finishGeneration(hub, {
    id,
    from: ["running"],
    to,
    cost: to === "succeeded" ? 9_200_000n : 0n,
    ...(to === "failed" && { error: { code: "provider_error", message: "It broke.", retryable: true } }),
  });
async function run(id: string, to: "succeeded" | "failed") {
  await markRunning(hub, { generationId: id, runId: newId() });
  await finish(id, to);
}
const countRows = async () => {
  const rows = await hub.db.query<{ n: number }>(
    "SELECT (SELECT count(*) FROM generation WHERE account_id = $1) + (SELECT count(*) FROM batch WHERE account_id = $1) AS n",
    [customer.account],
  );
  return Number(rows[0]!.n);
};

test("starts all inputs, each with its own hold, and counts and sums them", async () => {
  const { status, headers, body } = await create({ inputs: inputs(3), metadata: { team: "blue" }, end_user: "ada" });
  expect(status).toBe(202);
  expect(headers.get("location")).toBe(`${PATH}/${String(body.id)}`);
  expect(body).toMatchObject({
    model: "sandbox-image",
    status: "running",
    counts: { queued: 3, running: 0, awaiting_supply: 0, succeeded: 0, failed: 0, canceled: 0 },
    estimated_cost: 3 * COST,
    billed_cost: 0,
    completed_at: null,
  });
  expect((await get(body.id)).body).toEqual(body);
  expect(await me()).toMatchObject({ balance: 10, available: 10 - 3 * COST });
  expect(hub.published.filter(({ name }) => name === "generation/queued")).toHaveLength(3);

  const [third, second, first] = await listIds(body.id);
  await run(first!, "succeeded");
  await run(second!, "failed");
  expect((await get(body.id)).body).toMatchObject({
    status: "running",
    counts: { queued: 1, succeeded: 1, failed: 1 },
    billed_cost: COST,
  });
  await run(third!, "succeeded");
  const ended = (await get(body.id)).body;
  expect(ended).toMatchObject({ status: "completed", counts: { succeeded: 2, failed: 1 }, billed_cost: 2 * COST });
  await completeBatches(hub);
  expect((await get(body.id)).body).toEqual(ended);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

describe("all or none", () => {
  test("the sum must be covered, though each alone is", async () => {
    const poor = (customer = await newCustomer(hub, { credit: 10 * COST }));
    const refused = await create({ inputs: inputs(11) });
    expect(refused).toMatchObject({ status: 402, body: { required: 11 * COST, available: 10 * COST } });
    expect(await countRows()).toBe(0);
    expect((await create({ inputs: inputs(10) })).status).toBe(202);
    expect(await me(poor)).toMatchObject({ available: 0 });
  });

  test("so must the spend limit of the key", async () => {
    customer = await newCustomer(hub, { spendLimit: 0.02 });
    expect((await create({ inputs: inputs(3) })).status).toBe(402);
    expect(await countRows()).toBe(0);
    expect((await create({ inputs: inputs(2) })).status).toBe(202);
  });

  test("concurrent batches never hold more than the balance", async () => {
    customer = await newCustomer(hub, { credit: 10 * COST });
    const replies = await Promise.all(Array.from({ length: 6 }, () => create({ inputs: inputs(4) })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 202, 402, 402, 402, 402]);
    expect(await countRows()).toBe(2 + 8);
  });

  test("one invalid input rejects it, and is named", async () => {
    const { status, body } = await create({ inputs: [{ prompt: "a" }, { prompt: 7 }] });
    expect(status).toBe(400);
    expect(Object.keys(body.errors as object)).toEqual(["inputs.1.prompt"]);
    expect(await countRows()).toBe(0);
  });
});

test.each<[string, object, string]>([
  ["no input", { inputs: [] }, "inputs"],
  ["1,001 inputs", { inputs: inputs(1_001) }, "inputs"],
  ["an input that is no object", { inputs: [{ prompt: "a" }, "b"] }, "inputs.1"],
  ["an input of 20,000 values", { inputs: [{ prompt: "a", seeds: Array(20_000).fill(1) }] }, "inputs.0"],
  ["an input of a MiB", { inputs: [{ prompt: "x".repeat(1024 * 1024 + 1) }] }, "inputs.0"],
  [
    "a file of nobody",
    { inputs: [{ prompt: "a", image_input: [`https://hub.test/api/v1/hub/files/${newId()}`] }] },
    "inputs.0.image_input.0",
  ],
  ["a higher estimate than allowed", { inputs: inputs(2), max_cost: 0.01 }, "max_cost"],
  ["an unknown member", { inputs: inputs(1), n: 4 }, "n"],
])("%s is 400 at its place", async (_name, body, place) => {
  const { status, body: problem } = await create(body);
  expect(status).toBe(400);
  expect(Object.keys(problem.errors as object)).toEqual([place]);
});

test("a text model is rejected", async () => {
  expect((await create({ model: "sandbox-text", inputs: [{ messages: [] }] })).status).toBe(400);
});

test("another account's batch is not found, and neither is a missing one", async () => {
  const { body } = await create({ inputs: inputs(1) });
  const stranger = await newCustomer(hub);
  for (const id of [body.id, newId(), "x"]) {
    expect((await get(id, stranger)).status).toBe(404);
    expect((await cancel(id, stranger)).status).toBe(404);
  }
  expect((await callApi(host!, "GET", PATH, { key: stranger.key })).body.data).toEqual([]);
});

test("lists batches by pages, newest first", async () => {
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await create({ inputs: inputs(1) })).body.id);
  const list = async (query: string) => (await callApi(host!, "GET", `${PATH}?${query}`, { key: customer.key })).body;
  const first = await list("limit=2");
  expect((first.data as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const second = await list(`limit=2&cursor=${String(first.next_cursor)}`);
  expect((second.data as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(2));
  expect(second.next_cursor).toBeNull();
});

describe("idempotency", () => {
  const key = { "idempotency-key": "batch-1" };

  test("a repeat is 503 while it runs, then the completed batch; another body is 409", async () => {
    const { body } = await create({ inputs: inputs(2) }, key);
    const running = await create({ inputs: inputs(2) }, key);
    expect(running).toMatchObject({ status: 503, body: { code: "generation_in_progress", batch_id: body.id } });
    expect(running.headers.get("location")).toBe(`${PATH}/${String(body.id)}`);
    expect((await create({ inputs: inputs(1) }, key)).status).toBe(409);
    for (const id of await listIds(body.id)) await run(id, "succeeded");
    const replay = await create({ inputs: inputs(2) }, key);
    expect(replay).toMatchObject({ status: 200, body: { id: body.id, status: "completed" } });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(await me()).toMatchObject({ balance: 10 - 2 * COST });
  });

  test("of concurrent repeats one makes the batch", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => create({ inputs: inputs(2) }, key)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 503, 503, 503, 503]);
    expect(await countRows()).toBe(1 + 2);
  });
});

test("nothing can be added to a batch, but to a group of the client's own", async () => {
  const { body } = await create({ inputs: inputs(1) });
  const add = (batch_id: unknown) =>
    callApi(host!, "POST", GENERATIONS, {
      key: customer.key,
      body: { model: "sandbox-image", input: { prompt: "a" }, batch_id },
    });
  expect(await add(body.id)).toMatchObject({
    status: 400,
    body: { errors: { batch_id: expect.any(Array) as string[] } },
  });
  expect((await add(newId())).status).toBe(202);
});

describe("cancel", () => {
  test("ends what has not started, and lets the rest go on", async () => {
    const { body } = await create({ inputs: inputs(3) });
    const [, , first] = await listIds(body.id);
    await markRunning(hub, { generationId: first!, runId: newId() });
    const canceled = await cancel(body.id);
    expect(canceled).toMatchObject({
      status: 200,
      body: { status: "canceled", counts: { running: 1, canceled: 2 }, completed_at: null },
    });
    expect(await me()).toMatchObject({ available: 10 - COST });
    expect((await cancel(body.id)).body).toEqual(canceled.body);
    await finish(first!, "succeeded");
    expect((await cancel(body.id)).body).toMatchObject({
      status: "canceled",
      completed_at: expect.any(String) as string,
    });
  });

  test("a completed batch cannot be canceled", async () => {
    const { body } = await create({ inputs: inputs(1) });
    for (const id of await listIds(body.id)) await run(id, "succeeded");
    expect(await cancel(body.id)).toMatchObject({ status: 409, body: { code: "generation_not_cancelable" } });
  });

  test("is continued by the sweep if the process ended in the middle", async () => {
    const { body } = await create({ inputs: inputs(120) });
    await hub.db.query("UPDATE batch SET canceled_at = now() WHERE id = $1", [body.id]);
    await completeBatches(hub);
    expect((await get(body.id)).body).toMatchObject({ status: "canceled", counts: { canceled: 120 }, billed_cost: 0 });
    expect(await me()).toMatchObject({ available: 10 });
  });
});

test("a batch that ends sends one event to webhooks that name it", async () => {
  const webhook = { url: receiver.url, events: ["batch.completed"] };
  await callApi(host!, "POST", "/api/v1/hub/webhooks", { key: customer.key, body: webhook });
  const { body } = await create({ inputs: inputs(2) });
  const ids = await listIds(body.id);
  await run(ids[0]!, "succeeded");
  await completeBatches(hub);
  const countEvents = async () =>
    hub.db.query<{ data: string }>("SELECT data FROM event WHERE account_id = $1 AND name = 'batch.completed'", [
      customer.account,
    ]);
  expect(await countEvents()).toEqual([]);
  await run(ids[1]!, "succeeded");
  await Promise.all([completeBatches(hub), completeBatches(hub)]);
  const events = await countEvents();
  expect(events).toHaveLength(1);
  expect(JSON.parse(events[0]!.data)).toEqual((await get(body.id)).body);
});

test("its own webhook receives the end, and events of its generations if it names them", async () => {
  const countDeliveries = async (batch: unknown) =>
    hub.db.query<{ name: string; url: string; count: number }>(
      `SELECT e.name, d.url, count(*)::int AS count FROM delivery d JOIN event e ON e.n = d.event_n
       WHERE e.account_id = $1 AND (e.data::jsonb ->> 'id' = $2 OR e.generation_id IN (SELECT id FROM generation WHERE batch_id = $2::uuid))
       GROUP BY 1, 2 ORDER BY 1`,
      [customer.account, batch],
    );
  for (const [webhook, expected] of [
    [{ url: receiver.url }, [["batch.completed", 1]]],
    [
      { url: receiver.url, events: ["batch.completed", "generation.completed"] },
      [
        ["batch.completed", 1],
        ["generation.completed", 2],
      ],
    ],
  ] as const) {
    const { status, body } = await create({ inputs: inputs(2), webhook });
    expect(status).toBe(202);
    for (const id of await listIds(body.id)) await run(id, "succeeded");
    await completeBatches(hub);
    const deliveries = await countDeliveries(body.id);
    expect(deliveries).toEqual(expected.map(([name, count]) => ({ name, url: receiver.url, count })));
  }
  const wrong = await create({ inputs: inputs(1), webhook: { url: receiver.url, events: ["payment.failed"] } });
  expect(wrong.status).toBe(400);
});

test("its priority is that of all its generations", async () => {
  const { body } = await create({ inputs: inputs(2), priority: "low" });
  const list = await callApi(host!, "GET", `${GENERATIONS}?batch_id=${String(body.id)}`, { key: customer.key });
  expect((list.body.data as { priority: string }[]).map(({ priority }) => priority)).toEqual(["low", "low"]);
});

test("a batch waits for files, which are uploaded once for all", async () => {
  const sha256 = "a".repeat(64);
  const { status, body } = await create({
    inputs: [1, 2].map((n) => ({ prompt: `like it ${n}`, image_input: [`sha256:${sha256}`] })),
  });
  expect(status).toBe(202);
  expect(body).toMatchObject({ counts: { awaiting_supply: 2 } });
});

test("its own webhook receives the end of a batch that took longer than hosts are kept", async () => {
  const { body } = await create({ inputs: inputs(1), webhook: { url: receiver.url } });
  hub.clock.advance(31 * 86_400_000);
  await purgeEvents(hub, 1_000);
  expect((await cancel(body.id)).status).toBe(200);
  await completeBatches(hub);
  const urls = await hub.db.query(
    "SELECT d.url FROM delivery d JOIN event e ON e.n = d.event_n WHERE e.name = 'batch.completed' AND e.account_id = $1",
    [customer.account],
  );
  expect(urls).toEqual([{ url: receiver.url }]);
});
