import { createServer, type RequestListener, type Server } from "node:http";
import { stat } from "node:fs/promises";
import path from "node:path";
import sirv from "sirv";
import { OperatorError } from "../lib/operator-error";
import type { Secrets } from "../lib/signature";
import { root } from "../root";
import { createPageHandler } from "./page-handler";
import { readPageRoutes } from "./page-routes";

export interface Pages {
  handle: RequestListener;
  close(): Promise<void>;
}

interface Options {
  /** Pages are compiled again when their sources change, so none is stored. */
  dev: boolean;
  secrets: Secrets;
}

/** Starts Next, which serves everything but the REST API. */
export async function openPages(server: Server, port: number, { dev, secrets }: Options): Promise<Pages> {
  if (!dev && !(await stat(path.join(root, ".next", "BUILD_ID")).catch(() => null))) {
    throw new OperatorError("The project is not built: run `npm run build`, or `npm start`, which builds when needed.");
  }
  const { default: next } = await import("next");
  // Next takes over the sockets of upgrade requests at the server that it is given. Only `npm run dev` needs that, so
  // that pages follow their sources; otherwise it is given one that never listens.
  const httpServer = dev ? server : createServer();
  const app = next({ dev, dir: root, hostname: "localhost", port, httpServer });
  await app.prepare();
  const answer = app.getRequestHandler();
  const handle: RequestListener = (request, response) => void answer(request, response);
  const close = () => app.close();
  if (dev) return { handle, close };
  return { handle: withAssets(createPageHandler(handle, { secrets, routes: await readPageRoutes() })), close };
}

const PREFIX = "/_next/static/";
const YEAR_S = 31_536_000;

/**
 * Serves the pages' scripts and styles, which Next would compress again for each request. Their names change with their
 * content, so a browser requests each only once.
 */
function withAssets(pages: RequestListener): RequestListener {
  const serve = sirv(path.join(root, ".next", "static"), {
    brotli: true,
    gzip: true,
    immutable: true,
    maxAge: YEAR_S,
    setHeaders: (response) => response.setHeader("X-Content-Type-Options", "nosniff"),
  });
  return (request, response) => {
    const { url = "", method } = request;
    if (!url.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD")) return pages(request, response);
    request.url = url.slice(PREFIX.length - 1);
    serve(request, response, () => {
      request.url = url;
      pages(request, response);
    });
  };
}
