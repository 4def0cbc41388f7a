import { createInngest } from "../../inngest/client";
import { createFunctions } from "../../inngest/functions";
import { serveFunctions } from "../../inngest/server/serve-functions";
import type { Hub } from "../domain/hub";

/**
 * Returns the app that an Inngest server calls, which must sign its requests unless INNGEST_DEV is set. Without a server it
 * responds with 404: the embedded engine calls its functions in process.
 */
export function createInngestApp(hub: Hub): { fetch(request: Request): Promise<Response> } {
  const { env, log } = hub;
  if (!env.inngest) return { fetch: rejectAsNotFound };
  const client = createInngest({ env, log });
  return { fetch: serveFunctions(client, createFunctions(client, hub), env.BASE_URL) };
}

const rejectAsNotFound = () =>
  Promise.resolve(
    Response.json(
      { title: "Resource not found", status: 404, code: "resource_not_found" },
      { status: 404, headers: { "content-type": "application/problem+json" } },
    ),
  );
