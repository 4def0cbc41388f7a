import { createServer, type RequestListener, type Server } from "node:http";
import { stat } from "node:fs/promises";
import path from "node:path";
import compression from "compression";
import { OperatorError } from "../lib/operator-error";
import { root } from "../root";
import { withAssets } from "./assets";

export interface Pages {
  handle: RequestListener;
  close(): Promise<void>;
}

/** Compresses pages, with Brotli too, which Next's own compression does not know. */
function withCompression(pages: RequestListener): RequestListener {
  const compress = compression() as unknown as (...values: [...Parameters<RequestListener>, () => void]) => void;
  return (request, response) => compress(request, response, () => pages(request, response));
}

/** Starts Next, which serves everything except the REST API. */
export async function openPages(server: Server, port: number, dev: boolean): Promise<Pages> {
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
  return { handle: dev ? handle : withAssets(withCompression(handle)), close: () => app.close() };
}
