import type { ServerResponse } from "node:http";
import type { Context } from "hono";
import type { Hub } from "../context";
import { clientAddress } from "../lib/client-address";
import { commonHeaders } from "../lib/common-headers";
import { readRequestId } from "./middleware/request-id";
import type { Envelope } from "./operation";

/** What the host knows of the connection; Next's route handlers know nothing. */
export interface Host {
  Bindings: { incoming?: { socket: { remoteAddress?: string } }; outgoing?: ServerResponse };
}

/** One request on its way through the edge: who asks for what, and what its answer carries in any case. */
export interface RequestContext {
  hub: Hub;
  requestId: string;
  method: string;
  path: string;
  /** How its errors are answered. */
  envelope: Envelope;
  /** Null when the host does not tell. */
  address: string | null;
  /** In milliseconds of `hub.now()`. */
  startedAt: number;
  /** Of the answer, whatever it will be. */
  headers: Record<string, string>;
}

export function createRequestContext(
  hub: Hub,
  { req, env }: Context<Host>,
  envelope: Envelope = "problem",
): RequestContext {
  const { headers, method, url } = req.raw;
  const id = readRequestId(headers);
  const socket = env?.incoming?.socket.remoteAddress ?? null;
  const address = clientAddress(socket, headers, hub.env.TRUSTED_PROXIES);
  const startedAt = hub.now().getTime();
  return {
    hub,
    requestId: id,
    method,
    path: pathOf(url),
    envelope,
    address,
    startedAt,
    headers: createResponseHeaders(hub, id),
  };
}

// As it was sent: Hono's own `path` is decoded.
function pathOf(url: string): string {
  const query = url.indexOf("?");
  return url.slice(url.indexOf("/", "https://".length), query === -1 ? undefined : query);
}

/** The headers of every answer. An answer is for its caller alone unless an operation says otherwise. */
export const createResponseHeaders = (hub: Hub, id: string): Record<string, string> => ({
  "X-Request-Id": id,
  "Cache-Control": "no-store",
  ...commonHeaders(hub.env),
});
