import type { RequestListener, Server } from "node:http";
import { stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../lib/operator-error";
import { root } from "../root";
import { withAssets } from "./assets";

export interface Pages {
  handle: RequestListener;
  close(): Promise<void>;
}

/** Next, which answers everything that is not the REST API. */
export async function openPages(server: Server, port: number, dev: boolean): Promise<Pages> {
  if (!dev && !(await stat(path.join(root, ".next", "BUILD_ID")).catch(() => null))) {
    throw new OperatorError("The project is not built: run `npm run build`, or `npm start`, which builds when needed.");
  }
  const { default: next } = await import("next");
  const app = next({ dev, dir: root, hostname: "localhost", port, httpServer: server });
  await app.prepare();
  const answer = app.getRequestHandler();
  const handle: RequestListener = (request, response) => void answer(request, response);
  return { handle: dev ? handle : withAssets(handle), close: () => app.close() };
}
