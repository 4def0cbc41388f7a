import { expect, test } from "vitest";
import { type Delivery, listDeliveries, listGenerationDeliveries } from "../../server/domain/deliveries/delivery";
import { listEndpoints } from "../../server/domain/endpoints/endpoint";
import { sendTest } from "../../server/domain/deliveries/send-test";
import { hubWithEngine, runningHub } from "../engine";
import { type WebhookAccount, newWebhookAccount } from "./webhook-account";
import { type ChildHub, forkHub } from "./fork-hub";
import { openReceiver, type Received } from "./receiver";
import { isSoak } from "../soak";

const DELAYS = [30, 120, 600, 3_600, 21_600, 86_400, 259_200].map((seconds) => seconds * 1_000);
const MARGIN = 2_000;
const only = async ({ ctx }: WebhookAccount, id: string): Promise<Delivery> =>
  (await listDeliveries(ctx, id, { limit: 1 })).data[0]!;
const times = ({ attempts }: Delivery) => attempts.map(({ started_at }) => new Date(started_at).getTime());

/** Expects the specified waits, each at most this much longer. */
function expectSchedule(delivery: Delivery, received: Received[], maxLateMs: number) {
  const started = times(delivery);
  const waits = started.slice(1).map((time, index) => time - started[index]!);
  waits.forEach((wait, index) => {
    expect(wait).toBeGreaterThanOrEqual(DELAYS[index]!);
    expect(wait).toBeLessThanOrEqual(DELAYS[index]! + maxLateMs);
  });
  expect(waits).toHaveLength(7);
  expect(new Set(received.map(({ body }) => body.toString("hex"))).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers["x-service-delivery"]))).toEqual(new Set([delivery.id]));
  // Each attempt is signed with its own time.
  expect(received.map(({ headers }) => Number(headers["webhook-timestamp"]))).toEqual(
    started.map((time) => Math.floor(time / 1_000)),
  );
}

function expectExhausted(delivery: Delivery, endpoint: unknown) {
  expect(delivery).toMatchObject({ state: "failed", next_attempt_at: null });
  expect(endpoint).toMatchObject({
    last_error: {
      event: "generation.completed",
      delivery_id: delivery.id,
      attempts: 8,
      status: 500,
      message: "The endpoint responded with HTTP 500.",
    },
  });
}

const failingReceiver = await openReceiver((response) => void response.writeHead(500).end("no"));
const otherReceiver = await openReceiver();
const settings = { OUTBOUND_ALLOW_HOSTS: `${failingReceiver.host},${otherReceiver.host}` };

test("makes eight attempts with the specified delays, then sets last_error and stops", async () => {
  const hub = await runningHub(settings);
  hub.clock.freeze();
  const follower = await newWebhookAccount(hub);
  const { id } = await follower.createWebhook(failingReceiver.url);
  const other = await follower.createWebhook(otherReceiver.url, ["generation.running"]);
  failingReceiver.received.length = 0;
  /** Waits until everything that was due before has been sent. */
  const settle = async () => {
    const before = otherReceiver.received.length;
    await sendTest(follower.ctx, other.id);
    await expect.poll(() => otherReceiver.received.length).toBe(before + 1);
  };
  await follower.cancel(await follower.queueGeneration());
  for (const [index, delay] of DELAYS.entries()) {
    await expect.poll(async () => (await only(follower, id)).attempts.length).toBe(index + 1);
    hub.clock.advance(delay - MARGIN);
    await settle();
    expect(failingReceiver.received).toHaveLength(index + 1);
    expect((await listEndpoints(follower.ctx)).find((endpoint) => endpoint.id === id)!.last_error).toBeNull();
    const { next_attempt_at } = await only(follower, id);
    hub.clock.advance(next_attempt_at!.getTime() - hub.now().getTime());
  }
  await expect.poll(async () => (await only(follower, id)).state).toBe("failed");
  const delivery = await only(follower, id);
  expectSchedule(delivery, failingReceiver.received, 0);
  expectExhausted(
    delivery,
    (await listEndpoints(follower.ctx)).find((endpoint) => endpoint.id === id),
  );

  hub.clock.advance(20 * 86_400_000);
  hub.publish({ name: "hub/sweep", data: {} });
  await settle();
  expect(failingReceiver.received).toHaveLength(8);
});

test("delivers to a receiver that fails twice and recovers, without a last_error", async () => {
  const hub = await runningHub(settings);
  hub.clock.freeze();
  const follower = await newWebhookAccount(hub);
  let failures = 0;
  failingReceiver.received.length = 0;
  failingReceiver.respond = (response) =>
    void response.writeHead((failures += 1) <= 2 ? 503 : 200, { "retry-after": "90" }).end();
  const { id } = await follower.createWebhook(failingReceiver.url);
  await follower.cancel(await follower.queueGeneration());
  for (let n = 1; n <= 2; n += 1) {
    await expect.poll(async () => (await only(follower, id)).attempts.length).toBe(n);
    hub.clock.advance((await only(follower, id)).next_attempt_at!.getTime() - hub.now().getTime());
  }
  await expect.poll(async () => (await only(follower, id)).state).toBe("succeeded");
  const [first, second, third] = times(await only(follower, id));
  // Retry-After lengthened the first delay of 30 s, and did not shorten the second of 120 s.
  expect([second! - first!, third! - second!]).toEqual([90_000, 120_000]);
  expect((await listEndpoints(follower.ctx))[0]!.last_error).toBeNull();
  failingReceiver.respond = (response) => void response.writeHead(500).end("no");
});

/** Returns a hub whose events reach the engine of a child process; `resume` starts its own engine in place of the last child. */
async function parentHub() {
  const hub = await hubWithEngine(settings);
  failingReceiver.received.length = 0;
  const follower = await newWebhookAccount(hub);
  const { id } = await follower.createWebhook(failingReceiver.url);
  const start = (ahead: number) => forkHub(hub, settings, ahead);
  const resume = async (ahead: number) => {
    hub.clock.advance(ahead);
    await hub.startEngine();
    return hub.clock;
  };
  return { hub, follower, id, start, resume };
}

test.runIf(isSoak)(
  "makes the same attempts with a kill -9 in the middle of each wait",
  { timeout: 180_000 },
  async () => {
    const { follower, id, start, resume } = await parentHub();
    const other = await follower.createWebhook(otherReceiver.url, ["generation.running"]);
    await follower.cancel(await follower.queueGeneration());
    let ahead = 0;
    let child = await start(ahead);
    let clock: Pick<ChildHub, "advance"> = child;
    for (const [index, delay] of DELAYS.entries()) {
      if (index > 0) {
        // A process that has just started during the wait must neither attempt early nor forget.
        const before = otherReceiver.received.length;
        await sendTest(follower.ctx, other.id);
        await expect.poll(() => otherReceiver.received.length).toBe(before + 1);
        expect(failingReceiver.received).toHaveLength(index);
        const due = (await only(follower, id)).next_attempt_at!.getTime() - (Date.now() + ahead);
        expect(due).toBeGreaterThan(0);
        clock.advance(due);
        ahead += due;
      }
      await expect.poll(async () => (await only(follower, id)).attempts.length).toBe(index + 1);
      await child.kill9();
      ahead += delay / 2;
      if (index === DELAYS.length - 1) clock = await resume(ahead);
      else clock = child = await start(ahead);
    }
    clock.advance((await only(follower, id)).next_attempt_at!.getTime() - (Date.now() + ahead));
    await expect.poll(async () => (await only(follower, id)).state).toBe("failed");
    const delivery = await only(follower, id);
    // A process on a busy machine is late, and its clock goes on.
    expectSchedule(delivery, failingReceiver.received, DELAYS[0]! / 2);
    const endpoint = (await listEndpoints(follower.ctx)).find((one) => one.id === id);
    expectExhausted(delivery, endpoint);
  },
);

test(
  "sends again with the same id and bytes after a kill -9 between settlement and delivery, and between sending and recording",
  { timeout: 180_000 },
  async () => {
    const { hub, follower, id, start, resume } = await parentHub();
    await follower.cancel(await follower.queueGeneration());
    const other = await newWebhookAccount(hub);
    otherReceiver.received.length = 0;
    const webhook = { url: otherReceiver.url, events: ["generation.completed" as const] };
    const generation = await other.queueGeneration(undefined, webhook);
    // The process that settles it dies before it tells the engine; the next one looks for what was lost.
    const { publish } = hub;
    hub.publish = () => undefined;
    await other.cancel(generation);
    hub.publish = publish;
    hub.publish({ name: "hub/sweep", data: {} });
    const receivers = [failingReceiver, otherReceiver];
    for (const receiver of receivers) receiver.respond = () => undefined;
    const counts = () => receivers.map(({ received }) => received.length);
    const deliveries = async () => [
      await only(follower, id),
      ...(await listGenerationDeliveries(other.ctx, generation)),
    ];
    const child = await start(61_000);
    await expect.poll(counts).toEqual([1, 1]);
    await child.kill9();
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([[], []]);
    for (const receiver of receivers) receiver.respond = (response) => void response.writeHead(204).end();
    // Only after the leases of the lost attempts have expired, because until then they might still run.
    await resume(61_000 + 91_000);
    await expect.poll(async () => (await deliveries()).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(counts()).toEqual([2, 2]);
    for (const { received } of receivers) expect(received[1]!.body).toEqual(received[0]!.body);
    for (const { attempts } of await deliveries()) expect(attempts).toMatchObject([{ status: 204 }]);
  },
);
