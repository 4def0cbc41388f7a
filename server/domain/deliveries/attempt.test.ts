import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { openReceiver } from "../../../test/webhooks/receiver";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import { createSafeFetch } from "../../lib/safe-fetch";
import { attemptDeliveries, attemptDelivery } from "./attempt";

const receiver = await openReceiver();
const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });

/** Returns deliveries that are due to one endpoint. */
async function queueDeliveries(count: number) {
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receiver.url, ["generation.completed"]);
  for (let n = 0; n < count; n += 1) await webhookAccount.cancel(await webhookAccount.queueGeneration());
  return hub.published
    .splice(0)
    .flatMap(({ name, data }) => (name === "delivery/due" ? { ...data, lane: `${data.lane.slice(0, -1)}0` } : []));
}

test("makes one attempt of each delivery, and dispatches retries on their own", async () => {
  const due = await queueDeliveries(3);
  const { lane } = due[0]!;
  let requests = 0;
  receiver.respond = (response) => void response.writeHead((requests += 1) === 2 ? 500 : 204).end();
  expect(await attemptDeliveries(hub, due, lane)).toEqual([]);
  expect(receiver.received.splice(0).map(({ headers }) => headers["x-service-delivery"])).toEqual(
    due.map(({ id }) => id),
  );
  const { id, generation, round } = due[1]!;
  expect(hub.published.splice(0)).toEqual([{ name: "delivery/due", data: { id, generation, round, lane } }]);
});

test("begins no further attempt when its time is over, and skips deliveries that were attempted", async () => {
  const due = await queueDeliveries(3);
  const { lane } = due[0]!;
  receiver.respond = (response) => void response.writeHead(204).end();
  expect(await attemptDeliveries(hub, due, lane, 0)).toEqual(due.slice(1));
  expect(receiver.received.splice(0)).toHaveLength(1);
  expect(await attemptDeliveries(hub, due, lane)).toEqual([]);
  expect(receiver.received.splice(0)).toHaveLength(2);
});

test("the wait for other requests to the host is not the receiver's time, and one that waits too long is not an attempt", async () => {
  const fetch = createSafeFetch({ allowHosts: [receiver.host], maxPerHost: 1 });
  const busy = deriveHub(hub, { fetch });
  hub.clock.freeze();
  const [first, second] = [(await queueDeliveries(1))[0]!, (await queueDeliveries(1))[0]!];
  const held: ServerResponse[] = [];
  receiver.respond = (response) => void held.push(response);
  const hanging = attemptDelivery(busy, first);
  await expect.poll(() => held.length).toBe(1);

  const until = new Date(hub.now().getTime() + 5_000).toISOString();
  expect(await attemptDelivery(busy, second)).toEqual({ next: "wait", until });
  expect(await attemptDelivery(busy, second)).toEqual({ next: "wait", until });
  const attempts = () =>
    hub.db.query<{ n: number; duration_ms: number }>(
      "SELECT n, duration_ms FROM delivery_attempt WHERE delivery_id = $1",
      [second.id],
    );
  expect(await attempts()).toEqual([]);
  hub.clock.advance(5_000);
  const waiting = attemptDelivery(busy, second);
  setTimeout(() => held[0]!.writeHead(204).end(), 1_500);
  await expect.poll(() => held.length, { timeout: 4_000 }).toBe(2);
  held[1]!.writeHead(204).end();
  expect(await Promise.all([hanging, waiting])).toEqual(Array(2).fill({ next: "end", state: "succeeded" }));
  const [attempt] = await attempts();
  expect(attempt!.n).toBe(1);
  expect(attempt!.duration_ms).toBeLessThan(1_000);
});
