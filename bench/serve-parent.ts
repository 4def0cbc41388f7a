import { createServer, type RequestListener } from "node:http";

/** Serves on `PORT` until the parent process ends, and sends it a message when ready. */
export function serveParent(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(process.env.PORT, () => process.send?.("ready"));
  process.on("disconnect", () => {
    server.closeAllConnections();
    process.exit(0);
  });
}
