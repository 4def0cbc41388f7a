import { expect, test, vi } from "vitest";
import { contextOf } from "../../server/context";
import { getDeliveryRequest } from "../../server/domain/webhooks/get-request";
import { listGenerationDeliveries } from "../../server/domain/webhooks/delivery";
import { createEndpoint } from "../../server/domain/webhooks/create";
import { runAgain, startGeneration } from "../../server/domain/generations/start";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { runningHub } from "../engine";
import { openReceiver } from "../webhooks/receiver";

const receiver = await openReceiver();
const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });

async function newCtx() {
  const { account, email } = await newCustomer(hub);
  return contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
}

test("a generation runs again as a record of its own, for its owner alone", async () => {
  const ctx = await newCtx();
  const request = { model: "sandbox-image", input: { prompt: "a tree", aspect_ratio: "3:4" } };
  const { generation } = await startGeneration(ctx, { ...request, batch_id: newId() }, null);
  const again = await runAgain(ctx, generation.id);
  expect(again).toMatchObject({ ...request, batch_id: null, estimated_cost: generation.estimated_cost });
  expect(again.id).not.toBe(generation.id);
  for (const id of [generation.id, newId(), "none"]) {
    await expect(runAgain(await newCtx(), id)).rejects.toMatchObject({ code: "generation_not_found" });
  }
});

test("what a page shows of a delivery is what was sent, to the byte", async () => {
  const ctx = await newCtx();
  const events = ["generation.running", "generation.completed"] as const;
  await createEndpoint(ctx, { url: receiver.url, events: [...events] });
  const { generation } = await startGeneration(ctx, { model: "sandbox-image", input: { prompt: "a tree" } }, null);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 20_000);
  const deliveries = await listGenerationDeliveries(ctx, generation.id);
  expect(deliveries.map(({ event, url }) => [event, url])).toEqual(events.map((event) => [event, receiver.url]));
  for (const { id, event } of deliveries) {
    const shown = await getDeliveryRequest(ctx, id);
    const sent = receiver.received.find(({ headers }) => headers["x-service-delivery"] === id)!;
    expect(shown.body).toBe(sent.body.toString());
    for (const [name, value] of Object.entries(shown.headers)) expect(sent.headers[name.toLowerCase()]).toBe(value);
    expect(shown.headers["X-Service-Event"]).toBe(event);
  }
  const stranger = await newCtx();
  expect(await listGenerationDeliveries(stranger, generation.id)).toEqual([]);
  for (const id of [deliveries[0]!.id, newId(), "none"]) {
    await expect(getDeliveryRequest(stranger, id)).rejects.toMatchObject({ code: "resource_not_found" });
  }
});
