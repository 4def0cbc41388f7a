import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { openReceiver } from "../../../test/webhooks/receiver";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import { attemptDeliveries } from "./attempt";

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
