import { serve } from "inngest/next";
import type { NextRequest } from "next/server";
import { createInngest } from "@/inngest/client";
import { createFunctions } from "@/inngest/functions";
import { theHub } from "@/server/hub";

type Method = "GET" | "POST" | "PUT";
type Handlers = Record<Method, (request: NextRequest, context: unknown) => unknown>;

let handlers: Promise<Handlers | null> | undefined;

// The embedded engine calls its functions in process: without a real server nobody has business here.
async function openHandlers(): Promise<Handlers | null> {
  const hub = await theHub();
  const { env, log } = hub;
  if (!env.inngest) return null;
  const client = createInngest({ env, log });
  return serve({
    client,
    functions: createFunctions(client, hub),
    serveOrigin: env.BASE_URL,
    servePath: "/api/inngest",
  });
}

/** Answers a real Inngest server, which must sign its calls unless INNGEST_DEV is set; else 404. */
const answer = (method: Method) => async (request: NextRequest, context: unknown) => {
  handlers ??= openHandlers().catch((error: unknown) => {
    handlers = undefined;
    throw error;
  });
  const open = await handlers;
  return open ? ((await open[method](request, context)) as Response) : closed();
};

const closed = () =>
  Response.json(
    { title: "There is no such resource", status: 404, code: "resource_not_found" },
    { status: 404, headers: { "content-type": "application/problem+json" } },
  );

export const GET = answer("GET");
export const POST = answer("POST");
export const PUT = answer("PUT");
