import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Env } from "../env";
import { CLIENT_HEADER, clientAddress } from "../lib/client-address";
import { commonHeaders } from "../lib/common-headers";
import { sendError } from "./send-error";

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Handlers {
  api: Api;
  pages: RequestListener;
  /** Handles `/metrics`; absent if this port does not serve it. */
  metrics?: RequestListener;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const API =
  /^\/(?:api\/(?:v1|callbacks)|v1|v1beta|chat\/completions|mcp|oauth\/(?:token|register|revoke)|\.well-known\/oauth-[\w-]+|s\/[\w-]+)(?:[/?]|$)/;
/** The requests by which Claude Code checks, without credentials, whether its address responds. */
const PROBE = /^\/(?:api\/hello)?(?:\?|$)/;
const METRICS = /^\/metrics\/?(?:\?|$)/;
/** Our route handlers, and Next's in development. Everything else is a page, which accepts only GET and HEAD. */
const HANDLERS = /^\/(?:api|v1|v1beta|chat\/completions|mcp|__nextjs_\w+)(?:[/?]|$)/;
// Next fails with a 500 on TRACE, which no web Request can have as its method, and it reads the body of a form that is
// sent to a page, in search of a server action, which no page has.
const PAGE_METHODS = ["GET", "HEAD"];
const HANDLER_METHODS = [...PAGE_METHODS, "POST", "PUT"];

/** Serves REST itself, many times as fast as Next would, and passes everything else to the pages. */
export function createRequestListener({ api, pages, metrics }: Handlers, env: Env): RequestListener {
  const servePages = withHeaders(withBounds(pages, env.TRUSTED_PROXIES), commonHeaders(env));
  return (request, response) => {
    const target = readTarget(request.url ?? "");
    if (target !== null) request.url = target;
    if (target !== null && API.test(target)) return void api(request, response);
    if (target !== null && request.method === "HEAD" && PROBE.test(target)) return answerProbe(response, env);
    if (target !== null && METRICS.test(target)) {
      if (metrics) return metrics(request, response);
      return sendError(response, 404, "There is nothing at this path.");
    }
    servePages(request, response);
  };
}

/** Responds at once, without rendering a page, logging or counting. */
function answerProbe(response: ServerResponse, env: Env): void {
  response.writeHead(200, { ...commonHeaders(env), "Cache-Control": "no-store" }).end();
}

/** Rejects requests that pages cannot serve or that would take too long to parse, and passes on only known cookies. */
const withBounds =
  (pages: RequestListener, trustedProxies: string[]): RequestListener =>
  (request, response) => {
    const { url = "" } = request;
    if (readTarget(url) === null) return sendError(response, 400, "The target of a request must be a path.");
    if (!isQueryBounded(url)) return sendError(response, 414, "The query of this URL is too long.");
    if (!isDecodable(url)) return sendError(response, 404, "There is nothing at this path.");
    const allowed = HANDLERS.test(url) ? HANDLER_METHODS : PAGE_METHODS;
    if (!allowed.includes(request.method ?? "")) {
      return sendError(response, 405, "This path does not support this method.", { Allow: allowed.join(", ") });
    }
    setClientAddress(request, trustedProxies);
    const cookies = pickKnownCookies(request.headers.cookie ?? "");
    if (cookies === undefined) delete request.headers.cookie;
    else request.headers.cookie = cookies;
    pages(request, response);
  };

function setClientAddress(request: IncomingMessage, trustedProxies: string[]): void {
  const forwarded = request.headers["x-forwarded-for"];
  const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": String(forwarded) });
  const address = clientAddress(request.socket.remoteAddress, headers, trustedProxies);
  if (address !== null) request.headers[CLIENT_HEADER] = address;
  // Next's side would believe this header instead.
  else delete request.headers["x-forwarded-for"];
}

/** Adds these headers to every response of `listener`, and `Cache-Control: no-store` to those that do not set it. */
const withHeaders =
  (listener: RequestListener, headers: Record<string, string>): RequestListener =>
  (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    storeNothingByDefault(response);
    listener(request, response);
  };

function storeNothingByDefault(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  // Node calls it for listeners that write no head.
  response.writeHead = (...values: unknown[]) => {
    if (!response.hasHeader("cache-control") && !isNamed(values.at(-1)))
      response.setHeader("Cache-Control", "no-store");
    return writeHead(...values);
  };
}

/** Whether the headers passed with the head, as an object or a list, set a caching policy. */
const isNamed = (headers: unknown): boolean =>
  typeof headers === "object" &&
  headers !== null &&
  (Array.isArray(headers) ? headers.flat() : Object.keys(headers)).some((name) =>
    /^cache-control$/i.test(String(name)),
  );

/**
 * Returns the path and query of a request target, also of one in absolute form (RFC 9112, section 3.2.2); null if it is
 * not a path.
 */
export function readTarget(target: string): string | null {
  const path = ORIGIN.test(target) ? target.replace(ORIGIN, "") || "/" : target;
  return path.startsWith("/") ? path : null;
}

/** Returns whether the path of a request target is valid UTF-8, as every existing path is. */
export function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

/** Next parses a query several times, at a cost that grows with the square of its parameters. */
const MAX_PARAMETERS = 100;
/** A link to the playground has an input of up to 6,000 characters. */
const MAX_QUERY_BYTES = 8 * 1024;
/** A batch of the console's reads has its inputs in the query; Node bounds it with the head. */
const BATCH = /^\/api\/trpc\//;

/** Returns whether the query of a request target is short enough to be parsed by Next. */
export function isQueryBounded(target: string): boolean {
  const start = target.indexOf("?");
  if (start === -1) return true;
  if (target.length - start > MAX_QUERY_BYTES && !BATCH.test(target)) return false;
  let parameters = 1;
  for (let at = target.indexOf("&", start); at !== -1; at = target.indexOf("&", at + 1)) {
    parameters += 1;
    if (parameters > MAX_PARAMETERS) return false;
  }
  return true;
}

const MAX_COOKIE_BYTES = 4096;
const COOKIE =
  /^(?:\.AspNetCore\.Cookies|hub\.device|theme|formats|browser_formats|generations-view|playground_models|(?:__Secure-|__Host-)?next-auth\.(?:csrf-token|callback-url|state|nonce|pkce\.code_verifier))$/;

/**
 * Returns the cookies of a `Cookie` header that the hub sets, each once and of the size that browsers keep at most;
 * undefined if there are none. Others, such as those of an application on the same host, only cost time.
 */
export function pickKnownCookies(header: string): string | undefined {
  const known = new Map<string, string>();
  for (const pair of header.split(";")) {
    const name = pair.slice(0, pair.indexOf("=")).trim();
    if (COOKIE.test(name) && !known.has(name) && pair.length <= MAX_COOKIE_BYTES) known.set(name, pair.trim());
  }
  return known.size > 0 ? [...known.values()].join("; ") : undefined;
}
