import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hub } from "../domain/hub";
import { AppError } from "../errors";
import { createApp } from "./app";
import { createMcpApp } from "./mcp/app";
import { createOAuthApp } from "./oauth/app";
import { OTHER } from "../lib/metrics/registry";
import { createRateView } from "../lib/rate-view";
import { createResponseHeaders, newRequestId, observeRequest } from "./request-context";
import { problemResponse } from "./middleware/problem";
import { createShareApp } from "./shares/app";
import { createV1App } from "./v1-app";

/** Returns the API as a listener for Node's HTTP server, which serves many times more requests than Next's route handlers. */
export function createListener(hub: Hub): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const app = createApp(hub);
  const others: [RegExp, Pick<typeof app, "fetch">][] = [
    [V1_URL, createV1App(hub)],
    [MCP_URL, createMcpApp(hub)],
    [OAUTH_URL, createOAuthApp(hub)],
    [SHARE_URL, createShareApp(hub)],
  ];
  const findApp = ({ url }: Request) => others.find(([pattern]) => pattern.test(url))?.[1] ?? app;
  const listener = getRequestListener((request, env) => findApp(request).fetch(request, env), {
    // HTTP/1.0 requires no Host, and HAProxy's health check sends none. Node rejects HTTP/1.1 without one.
    hostname: new URL(hub.env.BASE_URL).host,
    // A request with an invalid target or Host cannot be represented as a Request and never reaches the app.
    errorHandler: (error) => rejectRequest(hub, error),
  });
  return (request, response) => {
    observeRequest(hub, response);
    return listener(request, response);
  };
}

const V1_URL = /^https?:\/\/[^/]*\/(?:v1|v1beta|chat\/completions)(?:[/?]|$)/i;
const MCP_URL = /^https?:\/\/[^/]*\/mcp(?:[/?]|$)/i;
const SHARE_URL = /^https?:\/\/[^/]*\/s\//i;
const OAUTH_URL = /^https?:\/\/[^/]*\/(?:oauth|\.well-known)\//i;

function rejectRequest(hub: Hub, error: unknown): Promise<Response> {
  const requestId = newRequestId();
  const headers = createResponseHeaders(hub, requestId);
  const context = {
    hub,
    requestId,
    method: "",
    path: "/",
    operation: OTHER,
    envelope: "problem" as const,
    address: null,
    startedAt: hub.now().getTime(),
    headers,
    rates: createRateView(headers),
  };
  const isMalformed = error instanceof Error && error.name === "RequestError";
  return problemResponse(context, isMalformed ? new AppError("invalid_input", `${error.message}.`) : error);
}
