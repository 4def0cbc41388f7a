import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Env } from "../env";
import { clientAddress } from "../lib/client-address";
import { CLIENT_HEADER } from "../lib/client-header";
import { commonHeaders } from "../lib/common-headers";
import { withHeaders } from "./common-headers";

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Doors {
  api: Api;
  pages: RequestListener;
}

const API = /^\/api\/v1(?:[/?]|$)/;

/** Puts the REST API in front of everything else: it answers many times as many requests as Next would. */
export function route({ api, pages }: Doors, env: Env): RequestListener {
  const others = withHeaders(withAddress(pages, env.TRUSTED_PROXIES), commonHeaders(env));
  return (request, response) => {
    if (API.test(request.url ?? "")) return void api(request, response);
    others(request, response);
  };
}

const withAddress =
  (pages: RequestListener, trustedProxies: string[]): RequestListener =>
  (request, response) => {
    // No request of the web's own kind can be made of one, which Next takes for a fault of ours.
    if (request.method === "TRACE") return rejectTrace(response);
    const forwarded = request.headers["x-forwarded-for"];
    const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": String(forwarded) });
    const address = clientAddress(request.socket.remoteAddress ?? null, headers, trustedProxies);
    if (address !== null) request.headers[CLIENT_HEADER] = address;
    pages(request, response);
  };

function rejectTrace(response: ServerResponse): void {
  response.writeHead(405, { Allow: "GET, HEAD, POST", "Content-Type": "application/json" });
  response.end(JSON.stringify({ message: "This path does not take that method." }));
}
