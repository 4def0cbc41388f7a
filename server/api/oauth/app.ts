import type { Context, Hono } from "hono";
import { isOAuthError } from "../../domain/connections";
import type { Hub } from "../../domain/hub";
import { isAppError } from "../../errors";
import { createBaseApp, rejectOtherMethods } from "../base-app";
import { drainRequestBody } from "../middleware/drain-request-body";
import { toAppError } from "../middleware/problem";
import { createRequestContext, type Host, type RequestContext } from "../request-context";
import { describeResource, describeServer, RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from "./metadata";
import { exchange, register, revoke } from "./handlers";

type Handler = (context: RequestContext, request: Request) => Promise<{ status?: number; json: unknown }>;

/**
 * Returns the authorization server for clients that connect to `/mcp` by OAuth, as a web-standard app. Its consent page is
 * `/oauth/authorize`. Pages of any origin may call it, because it accepts no cookies.
 */
export function createOAuthApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub);
  for (const suffix of ["", "/mcp"])
    app.get(RESOURCE_METADATA_PATH + suffix, (c) => sendMetadata(hub, c, describeResource(hub)));
  app.get(SERVER_METADATA_PATH, (c) => sendMetadata(hub, c, describeServer(hub)));
  app.post("/oauth/token", (c) => handle(hub, c, "oauthToken", exchange));
  app.post("/oauth/register", (c) => handle(hub, c, "oauthRegister", register));
  app.post("/oauth/revoke", (c) => handle(hub, c, "oauthRevoke", revoke));
  for (const path of ["token", "register", "revoke"]) rejectOtherMethods(app, hub, `/oauth/${path}`, { allow: "POST" });
  return app;
}

const METADATA_SECONDS = 300;

function sendMetadata(hub: Hub, c: Context<Host>, json: object): Response {
  const { headers } = createRequestContext(hub, c, "problem", "oauthMetadata");
  return Response.json(json, { headers: { ...headers, "Cache-Control": `public, max-age=${METADATA_SECONDS}` } });
}

/** Calls a handler and responds to errors in the format of RFC 6749, section 5.2. */
async function handle(hub: Hub, c: Context<Host>, operation: string, handler: Handler): Promise<Response> {
  const context = createRequestContext(hub, c, "problem", operation);
  const request = c.req.raw;
  try {
    const { status = 200, json } = await handler(context, request);
    return Response.json(json, { status, headers: context.headers });
  } catch (error) {
    return drainRequestBody(request, await errorResponse(context, error));
  }
}

async function errorResponse(context: RequestContext, thrown: unknown): Promise<Response> {
  if (isOAuthError(thrown)) return sendError(context, 400, thrown.code, thrown.message);
  const error = isAppError(thrown) ? thrown : await toAppError(context, thrown);
  const { status, message, headers } = error;
  const isOverloaded = status === 429 || status === 503;
  const code = isOverloaded ? "temporarily_unavailable" : status >= 500 ? "server_error" : "invalid_request";
  return sendError(context, status, code, message, headers);
}

const sendError = (
  { headers: common }: RequestContext,
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
) =>
  Response.json(
    { error, error_description: toDescription(description) },
    { status, headers: { ...common, ...headers } },
  );

/** Returns a text as RFC 6749 allows it: printable ASCII without quotation marks and backslashes. */
const toDescription = (text: string) => text.replace(/["\\]/g, "'").replace(/[^ -~]/g, "?");
