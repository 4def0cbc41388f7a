import { createServer, type RequestListener } from "node:http";

/** Serves on the port in the environment until the parent process ends, which it tells when it is ready. */
export function serveParent(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(process.env.PORT, () => process.send?.("ready"));
  process.on("disconnect", () => {
    server.closeAllConnections();
    process.exit(0);
  });
}
