import type { Context } from "hono";
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Hub } from "../domain/hub";
import type { OperatorToken } from "../domain/operator-tokens";
import { clientAddress } from "../lib/client-address";
import { commonHeaders } from "../lib/common-headers";
import { OTHER } from "../lib/metrics/registry";
import { createRateView, type RateView } from "../lib/rate-view";
import type { Callers, Envelope } from "./operation";

/** What the host provides about the connection; Next's route handlers provide nothing. */
export interface Host {
  Bindings: { incoming?: { socket: { remoteAddress?: string } }; outgoing?: ServerResponse };
}

/** One request to the edge, with the headers of its response. */
export interface RequestContext {
  hub: Hub;
  requestId: string;
  method: string;
  path: string;
  /** The name of the operation, from a known set; `_OTHER` for a path or method that does not exist. */
  operation: string;
  /** The format of its errors. */
  envelope: Envelope;
  /** Null if the host does not provide it. */
  address: string | null;
  /** In milliseconds of `hub.now()`. */
  startedAt: number;
  /** The owner of the key that was sent, even of a rejected one; absent without a known key. */
  caller?: { accountId: number; keyId: string };
  /** Whose limits it counts against: absent without a valid credential, and while an account is only viewed. */
  limited?: Pick<Callers["key-or-session"], "account" | "actor"> | OperatorToken;
  /** The hash of its key, null for text that is not a key; absent until it is computed. */
  keyHash?: string | null;
  /** Whether it has a key that was not recently valid. */
  isStranger?: boolean;
  /** The account that any credential authenticated. */
  accountId?: number;
  /** Absent while traces are off. */
  traceId?: string;
  /** Headers of the response, whether it succeeds or fails. */
  headers: Record<string, string>;
  /** The limits that it counts against; its headers show the tightest one. */
  rates: RateView;
}

/** Returns the context of a request, with its id and the address of its client. */
export function createRequestContext(
  hub: Hub,
  { req, env }: Context<Host>,
  envelope: Envelope = "problem",
  operation = OTHER,
): RequestContext {
  const { headers, method, url } = req.raw;
  const id = readRequestId(headers) ?? `${envelope === "messages" ? "req_" : ""}${newRequestId()}`;
  const socket = env?.incoming ? env.incoming.socket.remoteAddress : null;
  const address = clientAddress(socket, headers, hub.env.TRUSTED_PROXIES);
  const startedAt = hub.now().getTime();
  const responseHeaders = createResponseHeaders(hub, id);
  const context: RequestContext = {
    hub,
    requestId: id,
    method,
    path: pathOf(url),
    operation,
    envelope,
    address,
    startedAt,
    headers: responseHeaders,
    rates: createRateView(responseHeaders),
  };
  // Anthropic's SDKs read it from every response.
  if (envelope === "messages") responseHeaders["request-id"] = id;
  openToOrigins(context.headers, req.path, headers);
  if (env?.outgoing) (env.outgoing as ObservedResponse)[REQUEST_CONTEXT] = context;
  return context;
}

const REQUEST_CONTEXT = Symbol("request context");

/** A response with the context of its request, for metrics and logs when it ends. */
type ObservedResponse = ServerResponse & { [REQUEST_CONTEXT]?: RequestContext };

/** Returns the context that was created for the request of a response; undefined before that, and for pages. */
const findRequestContext = (response: ServerResponse): RequestContext | undefined =>
  (response as ObservedResponse)[REQUEST_CONTEXT];

// Problems report the path as it was sent; Hono's `path` is decoded.
function pathOf(url: string): string {
  const query = url.indexOf("?");
  return url.slice(url.indexOf("/", "https://".length), query === -1 ? undefined : query);
}

/** Returns the headers of every response. Responses are private to the caller unless an operation overrides it. */
export const createResponseHeaders = (hub: Hub, id: string): Record<string, string> => ({
  "X-Request-Id": id,
  "Cache-Control": "no-store",
  ...commonHeaders(hub.env),
});

// Safe in a log line and a header, and long enough to be unique.
const VALID_ID = /^[\w.-]{8,128}$/;

// Shared by all requests: random bytes for each would cost a tenth of a small request's time.
const prefix = randomBytes(9).toString("base64url");
let count = 0;

/** Returns the caller's X-Request-Id if it is valid, so that a trace can span services. */
function readRequestId(headers: Headers): string | null {
  const sent = headers.get("x-request-id");
  return sent !== null && VALID_ID.test(sent) ? sent : null;
}

/** Returns an id that is unique in this process and, very likely, in all. */
export const newRequestId = (): string => `${prefix}-${(count += 1)}`;

/** Runs a request in a span, which continues the trace of its client; without a span while traces are off. */
export function runInRequestSpan(
  context: RequestContext,
  request: Request,
  handle: () => Promise<Response>,
): Promise<Response> {
  const { tracing } = context.hub;
  if (!tracing) return handle();
  const { operation, method, requestId } = context;
  const attributes = { "http.request.method": method, "hub.operation": operation, "hub.request_id": requestId };
  const parent = request.headers.get("traceparent");
  return tracing.run({ name: operation, kind: "server", attributes, parent }, async () => {
    context.traceId = tracing.traceId();
    const response = await handle();
    tracing.annotate({ "http.response.status_code": response.status, "hub.account_id": context.accountId });
    return response;
  });
}

/** The status counted for a client that disconnected before a response. */
const CLIENT_LEFT = 499;

/**
 * Counts a request by its operation when its response ends, and logs it unless LOG_REQUESTS is off. `operation` is the
 * label of a request that has no operation of its own.
 */
export function observeRequest(hub: Hub, response: ServerResponse, operation = OTHER): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const context = findRequestContext(response);
    const durationMs = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    const labels = { operation: context?.operation ?? operation, code: String(status) };
    hub.metrics.httpRequests.add(labels);
    hub.metrics.httpRequestDuration.observe(labels, durationMs / 1000);
    if (hub.env.LOG_REQUESTS === "off") return;
    // The path and query are not logged: both may contain secrets, such as a signature.
    hub.log.info(
      {
        requestId: context?.requestId,
        operation: labels.operation,
        method: response.req.method,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        account: context?.accountId,
        trace_id: context?.traceId,
      },
      "request",
    );
  });
}

/** Paths that programs call with a key or a token. The key routes are excluded, because they accept only the console's cookie. */
const OPEN_PATH = /^\/(?:v1|mcp|oauth|\.well-known|api\/v1(?!\/hub\/keys(?:\/|$)))(?:\/|$)/;

const EXPOSED_HEADERS =
  "X-Request-Id, X-Generation-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Idempotent-Replayed, ETag, " +
  "Content-Range, Content-Disposition, WWW-Authenticate, x-should-retry, request-id, X-Hub-Dropped, " +
  "X-Hub-Max-Tokens, X-Hub-Generated, Preference-Applied";

/** Returns whether pages of any origin may call a path with a key. */
export const isOpenToOrigins = (path: string): boolean => OPEN_PATH.test(path);

/**
 * Adds the headers that let pages of any origin read the response of a path. They never allow credentials, so browsers
 * send no cookies. `Access-Control-Allow-Origin` is set for every request, because a browser may reuse a file that an
 * `<img>` loaded for a later `fetch`; programs other than browsers do not get the longer header.
 */
function openToOrigins(headers: Record<string, string>, path: string, request: Headers): void {
  if (!isOpenToOrigins(path)) return;
  headers["Access-Control-Allow-Origin"] = "*";
  if (request.has("origin")) headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS;
}
