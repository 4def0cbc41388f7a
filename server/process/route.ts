import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";

type Fetch = Parameters<typeof getRequestListener>[0];

const API = /^\/api\/v1(?:[/?]|$)/;

/** The REST API in front of everything else: it answers many times as many requests as Next would. */
export function route(api: Fetch, pages: RequestListener): RequestListener {
  const answer = getRequestListener(api);
  return (request, response) => {
    if (API.test(request.url ?? "")) void answer(request, response);
    else pages(request, response);
  };
}
