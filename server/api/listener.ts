import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hub } from "../context";
import { AppError } from "../errors";
import { createApp } from "./app";
import { createResponseHeaders } from "./request-context";
import { problemResponse } from "./middleware/problem";
import { newRequestId } from "./middleware/request-id";

/** The API as a listener of Node's own HTTP server, which answers many times what Next's route handlers do. */
export function createListener(hub: Hub): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const app = createApp(hub);
  return getRequestListener((request, env) => app.fetch(request, env), {
    // A request that cannot even become one, for its target or its Host, never reaches the app.
    errorHandler: (error) => refuse(hub, error),
  });
}

function refuse(hub: Hub, error: unknown): Response {
  const requestId = newRequestId();
  const call = {
    hub,
    requestId,
    method: "",
    path: "/",
    envelope: "problem" as const,
    address: null,
    startedAt: hub.now().getTime(),
    headers: createResponseHeaders(hub, requestId),
  };
  const malformed = error instanceof Error && error.name === "RequestError";
  return problemResponse(call, malformed ? new AppError("invalid_input", `${error.message}.`) : error);
}
