import { createInngest } from "@/inngest/client";
import { createFunctions } from "@/inngest/functions";
import { serveFunctions } from "@/inngest/server/serve-functions";
import { getHub } from "@/server/hub";

type Handler = (request: Request) => Promise<Response>;

let handler: Promise<Handler> | undefined;

// The embedded engine calls its functions in process, so the route is served only for an Inngest server.
async function createHandler(): Promise<Handler> {
  const hub = await getHub();
  const { env, log } = hub;
  if (!env.inngest) return notFound;
  const client = createInngest({ env, log });
  return serveFunctions(client, createFunctions(client, hub), env.BASE_URL);
}

/** Serves an Inngest server, which must sign its requests unless INNGEST_DEV is set. Returns 404 without one. */
async function serve(request: Request): Promise<Response> {
  handler ??= createHandler().catch((error: unknown) => {
    handler = undefined;
    throw error;
  });
  return (await handler)(request);
}

const notFound: Handler = () =>
  Promise.resolve(
    Response.json(
      { title: "Resource not found", status: 404, code: "resource_not_found" },
      { status: 404, headers: { "content-type": "application/problem+json" } },
    ),
  );

export const GET = serve;
export const POST = serve;
export const PUT = serve;
