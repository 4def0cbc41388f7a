import type { Hub } from "@/server/context";
import { TEST_EVENT, type EventName } from "@/server/domain/webhooks/endpoint";
import { buildEnvelope } from "@/server/domain/webhooks/render";
import { buildExampleGeneration } from "@/server/domain/webhooks/example";
import { signatureHeaders } from "@/server/domain/webhooks/sign";
import { newId } from "@/server/lib/id";

/** When each event is sent. */
export const occasions: Record<EventName | typeof TEST_EVENT, string> = {
  "generation.running": "Execution starts. A generation that is canceled, or fails, in the queue has none.",
  "generation.completed": "It is over: succeeded, failed or canceled.",
  [TEST_EVENT]: "You asked for it, to try a webhook: an example of a generation, whatever the webhook subscribed to.",
};

/** A secret of nobody's. */
export const EXAMPLE_SECRET = `whsec_${Buffer.from("this one is for everybody to see").toString("base64")}`;

/** A delivery of this event as it would be sent now, signed with the secret of nobody's. */
export function exampleDelivery(hub: Hub, event: EventName) {
  const now = hub.now();
  const generation = buildExampleGeneration(hub, now);
  const under = { status: "running", billed_cost: null, completed_at: null, progress: null };
  const data = event === "generation.running" ? { ...generation, ...under } : generation;
  const id = newId();
  const body = buildEnvelope(id, { name: event, created_at: now }, JSON.stringify(data));
  return { body, headers: signatureHeaders([EXAMPLE_SECRET], { id, event, body, at: now }) };
}
