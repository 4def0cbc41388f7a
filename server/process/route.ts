import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { clientAddress } from "../lib/client-address";
import { CLIENT_HEADER } from "../lib/client-header";
import { readTarget } from "./read-target";

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const API = /^\/api\/v1(?:[/?]|$)/;
/** Route handlers of ours, and of Next while the pages are developed; everything else is a page, which is only read. */
const HANDLERS = /^\/(?:api|__nextjs_\w+)(?:[/?]|$)/;

/** Answers REST in front of everything else, many times as fast as Next would, and hands pages what they can answer. */
export const route =
  (api: Api, pages: RequestListener, trustedProxies: string[]): RequestListener =>
  (request, response) => {
    const target = readTarget(request.url ?? "");
    if (target === null) return reject(response, 400);
    request.url = target;
    if (API.test(target)) return void api(request, response);
    if (!isRead(request) && !HANDLERS.test(target)) return reject(response, 405, { Allow: "GET, HEAD" });
    const forwarded = request.headers["x-forwarded-for"];
    const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": String(forwarded) });
    const address = clientAddress(request.socket.remoteAddress ?? null, headers, trustedProxies);
    if (address !== null) request.headers[CLIENT_HEADER] = address;
    pages(request, response);
  };

// Next would read the body of a form that is sent to a page, in search of an action that no page has.
const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

const reject = (response: ServerResponse, status: number, headers: Record<string, string> = {}) =>
  void response
    .writeHead(status, { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...headers })
    .end();
