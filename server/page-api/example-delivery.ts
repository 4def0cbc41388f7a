import type { Hub } from "../context";
import { type EventName, isPaymentEventName } from "../domain/events/event-names";
import { buildExampleGeneration } from "../domain/webhooks/example";
import { examplePayment } from "../domain/webhooks/example-payment";
import { buildEnvelope } from "../domain/webhooks/render";
import { signatureHeaders } from "../domain/webhooks/sign";
import { newId } from "../lib/id";

/** A public secret that only signs the examples. */
export const EXAMPLE_SECRET = `whsec_${Buffer.from("this one is for everybody to see").toString("base64")}`;

/** Returns a delivery of this event as the hub would send it now, signed with the example secret. */
export function exampleDelivery(hub: Hub, event: EventName) {
  const now = hub.now();
  if (isPaymentEventName(event)) return sign(event, now, examplePayment(event));
  const generation = buildExampleGeneration(hub, now);
  const under = { status: "running", billed_cost: null, completed_at: null, progress: null };
  return sign(event, now, event === "generation.running" ? { ...generation, ...under } : generation);
}

function sign(event: EventName, now: Date, data: object) {
  const id = newId();
  const body = buildEnvelope(id, { name: event, created_at: now }, JSON.stringify(data));
  return { body, headers: signatureHeaders([EXAMPLE_SECRET], { id, event, body, at: now }) };
}
