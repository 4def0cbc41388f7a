import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
  type RequestListener,
} from "node:http";
import { duplexPair } from "node:stream";
import { buffer } from "node:stream/consumers";

export interface PageRequest {
  path: string;
  headers: IncomingHttpHeaders;
}

/** A complete response of Next. */
export interface RenderedPage {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

export type RenderPage = (page: PageRequest) => Promise<RenderedPage>;

/** Twice what Node accepts of a client, because the hub adds headers to the head of a request. */
const MAX_HEAD_BYTES = 32 * 1024;
/** Headers that belong to one connection, or request only a part of the page. */
const OWN_HEADERS = ["connection", "keep-alive", "transfer-encoding", "accept-encoding", "content-length", "date"];

/**
 * Returns a function that renders a page into memory over an in-memory connection, so that no client can delay or abort
 * the rendering and several can share its result.
 */
export function createPageRenderer(pages: RequestListener): RenderPage {
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, pages);
  return async ({ path, headers }) => {
    const [client, serverSide] = duplexPair();
    server.emit("connection", serverSide);
    try {
      return await new Promise<RenderedPage>((resolve, reject) => {
        const sent = request({ path, headers: withoutOwn(headers), createConnection: () => client }, (response) => {
          const { statusCode: status = 500 } = response;
          buffer(response).then((body) => resolve({ status, headers: withoutOwn(response.headers), body }), reject);
        });
        sent.once("error", reject).end();
      });
    } finally {
      client.destroy();
      serverSide.destroy();
    }
  };
}

function withoutOwn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const rest = { ...headers };
  for (const name of OWN_HEADERS) delete rest[name];
  return rest;
}
