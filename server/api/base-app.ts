import { type Context, Hono } from "hono";
import type { Hub } from "../domain/hub";
import { AppError } from "../errors";
import { createRequestContext, type Host, isOpenToOrigins } from "./request-context";
import { problemResponse } from "./middleware/problem";
import type { Envelope } from "./operation";

interface Options {
  envelope?: Envelope;
  /** Returns a sentence that follows the message of a 404. */
  describeNearest?: (path: string) => string;
}

/** Returns an app without routes: it responds to CORS preflights, and to unknown paths and errors in its envelope. */
export function createBaseApp(hub: Hub, { envelope, describeNearest }: Options = {}): Hono<Host> {
  const app = new Hono<Host>();
  // Any other OPTIONS gets 405.
  app.options("*", (c, next) => (isPreflight(c) ? Promise.resolve(allowPreflight(hub, c)) : next()));
  app.notFound((c) => {
    const nearest = describeNearest ? ` ${describeNearest(c.req.path)}` : "";
    const error = new AppError("resource_not_found", `There is nothing at this path.${nearest}`);
    return problemResponse(createRequestContext(hub, c, envelope), error);
  });
  app.onError((error, c) => problemResponse(createRequestContext(hub, c, envelope), error));
  return app;
}

interface Rejection {
  /** The methods that the path supports. */
  allow: string;
  envelope?: Envelope;
  message?: string;
}

/** Responds with 405 to every method of a path that was not registered earlier. */
export function rejectOtherMethods(
  app: Hono<Host>,
  hub: Hub,
  path: string,
  { allow, envelope, message = `This path supports ${allow}.` }: Rejection,
): void {
  app.all(path, (c) => {
    const error = new AppError("method_not_allowed", message, {}, { Allow: allow });
    return problemResponse(createRequestContext(hub, c, envelope), error);
  });
}

const PREFLIGHT_SECONDS = 86_400;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

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
