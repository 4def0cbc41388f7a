import { createInngest } from "@/inngest/client";
import { createFunctions } from "@/inngest/functions";
import { serveFunctions } from "@/inngest/server/serve-functions";
import { getHub } from "@/server/hub";

type Handler = (request: Request) => Promise<Response>;

let handler: Promise<Handler> | undefined;

// The embedded engine calls its functions in process: without a real server nobody has business here.
async function openHandler(): Promise<Handler> {
  const hub = await getHub();
  const { env, log } = hub;
  if (!env.inngest) return notFound;
  const client = createInngest({ env, log });
  return serveFunctions(client, createFunctions(client, hub), env.BASE_URL);
}

/** Answers a real Inngest server, which must sign its calls unless INNGEST_DEV is set; else 404. */
async function answer(request: Request): Promise<Response> {
  handler ??= openHandler().catch((error: unknown) => {
    handler = undefined;
    throw error;
  });
  return (await handler)(request);
}

const notFound: Handler = () =>
  Promise.resolve(
    Response.json(
      { title: "There is no such resource", status: 404, code: "resource_not_found" },
      { status: 404, headers: { "content-type": "application/problem+json" } },
    ),
  );

export const GET = answer;
export const POST = answer;
export const PUT = answer;
