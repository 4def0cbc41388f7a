import type { Hub } from "@/server/context";
import { type EventName, isPaymentEventName, TEST_EVENT } from "@/server/domain/events/event-names";
import { buildEnvelope } from "@/server/domain/envelopes/render";
import { examplePayment } from "@/server/domain/envelopes/example-payment";
import { buildExampleGeneration } from "@/server/domain/envelopes/example";
import { signatureHeaders } from "@/server/domain/deliveries/sign";
import { newId } from "@/server/lib/id";

/** When the hub sends each event. */
export const occasions: Record<EventName | typeof TEST_EVENT, string> = {
  "generation.running": "Execution starts. Not sent for generations that are canceled or fail in the queue.",
  "generation.completed": "The generation succeeds, fails or is canceled.",
  "payment.succeeded": "A payment is credited. Data is the payment.",
  "payment.failed": "A payment fails, for example because a card is declined.",
  "payment.refunded": "A payment is refunded in whole or in part, or disputed with the bank.",
  [TEST_EVENT]: "You request a test. It carries an example generation and ignores the subscribed events.",
};

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
