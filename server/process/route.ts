import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const API = /^\/api\/v1(?:[/?]|$)/;

/** The REST API in front of everything else: it answers many times as many requests as Next would. */
export const route =
  (api: Api, pages: RequestListener): RequestListener =>
  (request, response) => {
    if (API.test(request.url ?? "")) void api(request, response);
    else pages(request, response);
  };
