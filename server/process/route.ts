import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { clientAddress } from "../lib/client-address";
import { CLIENT_HEADER } from "../lib/client-header";

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const API = /^\/api\/v1(?:[/?]|$)/;
/** Route handlers of ours, and of Next while the pages are developed; everything else is a page, which is only read. */
const HANDLERS = /^\/(?:api|__nextjs_\w+)(?:[/?]|$)/;

/** The REST API in front of everything else: it answers many times as many requests as Next would. */
export const route =
  (api: Api, pages: RequestListener, trustedProxies: string[]): RequestListener =>
  (request, response) => {
    if (API.test(request.url ?? "")) return void api(request, response);
    if (!isRead(request) && !HANDLERS.test(request.url ?? "")) return rejectMethod(response);
    const forwarded = request.headers["x-forwarded-for"];
    const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": String(forwarded) });
    const address = clientAddress(request.socket.remoteAddress ?? null, headers, trustedProxies);
    if (address !== null) request.headers[CLIENT_HEADER] = address;
    pages(request, response);
  };

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Next would read the body of a form that is sent to a page, in search of an action that no page has. */
const rejectMethod = (response: ServerResponse) =>
  void response.writeHead(405, { Allow: "GET, HEAD", "Cache-Control": "no-store" }).end();
