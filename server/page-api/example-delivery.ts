import { signatureHeaders } from "../domain/deliveries";
import { buildEnvelope, buildExampleData } from "../domain/envelopes";
import type { EventName } from "../domain/events";
import type { Hub } from "../domain/hub";
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
