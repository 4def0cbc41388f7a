import type { Context, Hono } from "hono";
import type { Hub } from "../../context";
import { createRequestContext, type Host } from "../request-context";
import { isOpenToOrigins } from "./cors";

const PREFLIGHT_SECONDS = 86_400;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** Responds to CORS preflights of open paths; any other OPTIONS gets 405. */
export function registerPreflights(app: Hono<Host>, hub: Hub): void {
  app.options("*", (c, next) => (isPreflight(c) ? Promise.resolve(allowPreflight(hub, c)) : next()));
}

const isPreflight = ({ req }: Context<Host>): boolean =>
  isOpenToOrigins(req.path) && req.header("access-control-request-method") !== undefined;

function allowPreflight(hub: Hub, c: Context<Host>): Response {
  const { headers } = createRequestContext(hub, c);
  const requested = c.req.header("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "Access-Control-Allow-Methods": METHODS,
      // Echoed, because `*` does not include Authorization.
      ...(requested !== undefined && { "Access-Control-Allow-Headers": requested }),
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
      Vary: "Access-Control-Request-Headers",
    },
  });
}
