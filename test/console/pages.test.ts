import { expect, test, vi } from "vitest";
import { contextOf } from "../../server/context";
import { getDeliveryRequest, listGenerationDeliveries } from "../../server/domain/deliveries/delivery";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { runAgain, startGeneration } from "../../server/domain/generations/intake/start";
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

test("runs a generation again as a new record, for its account only", async () => {
  const ctx = await newCtx();
  const request = { model: "sandbox-image", input: { prompt: "a tree", aspect_ratio: "3:4" } };
  const { generation } = await startGeneration(ctx, { ...request, batch_id: newId() }, null);
  const repeated = await runAgain(ctx, generation.id);
  expect(repeated).toMatchObject({ ...request, batch_id: null, estimated_cost: generation.estimated_cost });
  expect(repeated.id).not.toBe(generation.id);
  for (const id of [generation.id, newId(), "none"]) {
    await expect(runAgain(await newCtx(), id)).rejects.toMatchObject({ code: "generation_not_found" });
  }
});

test("a delivery's page shows the sent bytes", async () => {
  const ctx = await newCtx();
  const events = ["generation.running", "generation.completed"] as const;
  await createEndpoint(ctx, { url: receiver.url, events: [...events] });
  const { generation } = await startGeneration(ctx, { model: "sandbox-image", input: { prompt: "a tree" } }, null);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 20_000);
  const deliveries = await listGenerationDeliveries(ctx, generation.id);
  expect(deliveries.map(({ event, url }) => [event, url])).toEqual(events.map((event) => [event, receiver.url]));
  for (const { id, event } of deliveries) {
    const displayed = await getDeliveryRequest(ctx, id);
    const sent = receiver.received.find(({ headers }) => headers["x-service-delivery"] === id)!;
    expect(displayed.body).toBe(sent.body.toString());
    for (const [name, value] of Object.entries(displayed.headers)) expect(sent.headers[name.toLowerCase()]).toBe(value);
    expect(displayed.headers["X-Service-Event"]).toBe(event);
  }
  const otherCtx = await newCtx();
  expect(await listGenerationDeliveries(otherCtx, generation.id)).toEqual([]);
  for (const id of [deliveries[0]!.id, newId(), "none"]) {
    await expect(getDeliveryRequest(otherCtx, id)).rejects.toMatchObject({ code: "resource_not_found" });
  }
});
