import { z } from "zod";
import type { Queryable } from "../../server/db/client";
import { keepFinishedSteps } from "./finished-steps";
import { sendEvents } from "./send-events";

const MAX_BODY_LENGTH = 3 * 1024 * 1024;

// Postgres can store neither NUL nor half a character in text, and the id is indexed.
const Text = z.string().regex(/^[^\0\p{Surrogate}]{0,255}$/u, "may have 255 characters, all of them whole and no NUL");

const Event = z.looseObject({
  id: Text.optional(),
  name: Text.min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  ts: z.number().optional(),
});
const Events = z.union([Event.transform((event) => [event]), z.array(Event)]);

/**
 * Returns a `fetch` for an Inngest client that inserts events into the database, in any process, whether or not it runs
 * an engine, and keeps the steps that calls of this process have finished. Every other request of the SDK gets a 501.
 */
export function embeddedFetch(db: Queryable, now: () => Date): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || !/^\/(e\/[^/]+|v1\/checkpoint\/[^/]+\/async)$/.test(pathname))
      return rejectRequest(501, `the embedded engine does not serve ${request.method} ${pathname}`);
    const body = await request.text();
    if (body.length > MAX_BODY_LENGTH)
      return rejectRequest(413, "the events or steps of one request may have 3 MiB in all");
    const content: unknown = JSON.parse(body);
    if (pathname.startsWith("/v1/"))
      return keepFinishedSteps(content) ? Response.json({}) : rejectRequest(409, "no such call is under way");
    const events = Events.safeParse(content);
    if (!events.success) return rejectRequest(400, z.prettifyError(events.error));
    return Response.json({ ids: await sendEvents(db, now(), events.data), status: 200 });
  };
}

const rejectRequest = (status: number, error: string) => Response.json({ ids: [], status, error }, { status });
