import { expect, test } from "vitest";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { dispatchNextQueued } from "../../server/domain/generations/queue/dispatch-queued";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { addGpuModels } from "../workers/test-workers";

const PATH = "/api/v1/hub/generations";
const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "1" });
const { hub } = host;
addGpuModels(hub);

async function newAccount() {
  const customer = await newCustomer(hub, { credit: 1_000 });
  return {
    ...customer,
    create: async (priority?: string, model = "sandbox-image") => {
      const input = model === "sandbox-image" ? { prompt: "a lighthouse" } : {};
      const reply = await callApi(host, "POST", PATH, { key: customer.key, body: { model, input, priority } });
      expect(reply.status, JSON.stringify(reply.body)).toBe(202);
      return reply.body as { id: string; priority: string };
    },
  };
}

const start = (id: string) => markRunning(hub, { generationId: id, runId: "run" });
const finish = (id: string) => finishGeneration(hub, { id, from: ["running"], to: "succeeded" });

test("an account's slot goes to high, then normal, then low, the oldest of each first", async () => {
  const account = await newAccount();
  const running = (await account.create()).id;
  expect(await start(running)).toBe("running");
  const wanted = ["low", "normal", "high", "low", undefined, "high"];
  const made = [];
  for (const priority of wanted) made.push(await account.create(priority));
  expect(made.map(({ priority }) => priority)).toEqual(wanted.map((priority) => priority ?? "normal"));
  for (const { id } of made) expect(await start(id)).toBe("no_slot");

  const order = [];
  for (let current = running; made.length > order.length;) {
    await finish(current);
    hub.published.length = 0;
    await dispatchNextQueued(hub, account.account);
    const [event] = hub.published.filter(({ name }) => name === "generation/queued");
    current = (event!.data as { id: string }).id;
    expect(await start(current)).toBe("running");
    order.push(made.findIndex(({ id }) => id === current));
  }
  expect(order).toEqual([2, 5, 1, 4, 0, 3]);
});

test("a free slot is not taken before one of a higher priority that waits for it", async () => {
  const account = await newAccount();
  const running = (await account.create()).id;
  await start(running);
  const high = (await account.create("high")).id;
  expect(await start(high)).toBe("no_slot");
  const low = (await account.create("low")).id;
  await finish(running);
  hub.published.length = 0;
  expect(await start(low)).toBe("no_slot");
  expect(hub.published).toEqual([{ name: "generation/queued", data: { id: high, account: account.account } }]);
  expect(await start(high)).toBe("running");
});

test("workers get an account's jobs by priority", async () => {
  const account = await newAccount();
  const ids = [];
  for (const priority of ["low", "normal", "high"]) ids.push((await account.create(priority, "gpu-b")).id);
  const order = [];
  for (let leased = 0; leased < 3; leased += 1) {
    const job = (await leaseNextJob(hub, { tokenId: null }, ["gpu-b"]))!;
    order.push(job.id);
    await finish(job.id);
  }
  expect(order).toEqual(ids.toReversed());
});

test("rejects other priorities, and `high` for a key that may not use it", async () => {
  const { account, key, keyId, create } = await newAccount();
  const send = (priority: unknown) =>
    callApi(host, "POST", PATH, { key, body: { model: "sandbox-image", input: { prompt: "x" }, priority } });
  for (const priority of ["urgent", 1, null, ""]) {
    const { status, body } = await send(priority);
    expect({ status, places: Object.keys(body.errors as object) }).toEqual({ status: 400, places: ["priority"] });
  }
  await hub.db.prisma.apiKey.update({ where: { id: keyId }, data: { allowHighPriority: false } });
  expect((await send("high")).body).toMatchObject({ status: 400, errors: { priority: expect.anything() as unknown } });
  expect((await create("low")).priority).toBe("low");
  expect(await hub.db.query("SELECT FROM generation WHERE account_id = $1", [account])).toHaveLength(1);
});
