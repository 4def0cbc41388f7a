import { z } from "zod";
import type { Queryable } from "../../server/db/client";
import { sendEvents } from "./send";

const MAX_BYTES = 3 * 1024 * 1024;

// Postgres keeps no NUL in text, and indexes the id.
const Text = z.string().regex(/^[^\0]{0,255}$/, "may have 255 characters and no NUL");

const Event = z.looseObject({
  id: Text.optional(),
  name: Text.min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  ts: z.number().optional(),
});
const Events = z.union([Event.transform((event) => [event]), z.array(Event)]);

/**
 * Stands in for the network of an Inngest client: events go straight into the database, in any process, whether it
 * runs the engine or not. Whatever else the SDK may ask of a server answers 501.
 */
export function embeddedFetch(on: Queryable, now: () => Date): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "POST" || !/\/e\/[^/]+$/.test(new URL(request.url).pathname)) {
      return refuse(501, `the embedded engine does not serve ${request.method} ${new URL(request.url).pathname}`);
    }
    const body = await request.text();
    if (body.length > MAX_BYTES) return refuse(413, "events of one call may have 3 MiB in all");
    const events = Events.safeParse(JSON.parse(body));
    if (!events.success) return refuse(400, z.prettifyError(events.error));
    return Response.json({ ids: await sendEvents(on, now(), events.data), status: 200 });
  };
}

const refuse = (status: number, error: string) => Response.json({ ids: [], status, error }, { status });
