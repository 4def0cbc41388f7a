import type { Hub } from "@/server/context";
import type { EventName } from "@/server/domain/events/event-names";
import { buildEnvelope } from "@/server/domain/envelopes/render";
import { buildExampleData } from "@/server/domain/envelopes/example";
import { signatureHeaders } from "@/server/domain/deliveries/sign";
import { newId } from "@/server/lib/id";

/** A public secret that only signs the examples. */
export const EXAMPLE_SECRET = `whsec_${Buffer.from("this one is for everybody to see").toString("base64")}`;

/** Returns a delivery of this event as the hub would send it now, signed with the example secret. */
export function exampleDelivery(hub: Hub, event: EventName) {
  const id = newId();
  const now = hub.now();
  const data = JSON.stringify(buildExampleData(hub, event, now));
  const body = buildEnvelope(id, { name: event, created_at: now }, data);
  return { body, headers: signatureHeaders([EXAMPLE_SECRET], { id, event, body, at: now }) };
}
