import type { Hub } from "@/server/context";
import { TEST_EVENT, type EventName } from "@/server/domain/events/event-names";
import { buildEnvelope } from "@/server/domain/webhooks/render";
import { buildExampleGeneration } from "@/server/domain/webhooks/example";
import { signatureHeaders } from "@/server/domain/webhooks/sign";
import { newId } from "@/server/lib/id";

/** When the hub sends each event. */
export const occasions: Record<EventName | typeof TEST_EVENT, string> = {
  "generation.running": "Execution starts. Not sent for generations that are canceled or fail in the queue.",
  "generation.completed": "The generation succeeds, fails or is canceled.",
  [TEST_EVENT]: "You request a test. It carries an example generation and ignores the subscribed events.",
};

/** A public secret that only signs the examples. */
export const EXAMPLE_SECRET = `whsec_${Buffer.from("this one is for everybody to see").toString("base64")}`;

/** Returns a delivery of this event as the hub would send it now, signed with the example secret. */
export function exampleDelivery(hub: Hub, event: EventName) {
  const now = hub.now();
  const generation = buildExampleGeneration(hub, now);
  const under = { status: "running", billed_cost: null, completed_at: null, progress: null };
  const data = event === "generation.running" ? { ...generation, ...under } : generation;
  const id = newId();
  const body = buildEnvelope(id, { name: event, created_at: now }, JSON.stringify(data));
  return { body, headers: signatureHeaders([EXAMPLE_SECRET], { id, event, body, at: now }) };
}
