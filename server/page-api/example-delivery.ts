import type { Hub } from "../context";
import { signatureHeaders } from "../domain/deliveries/sign";
import { buildExampleData } from "../domain/envelopes/example";
import { buildEnvelope } from "../domain/envelopes/render";
import type { EventName } from "../domain/events/event-names";
import { newId } from "../lib/id";

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
