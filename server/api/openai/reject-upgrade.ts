import type { Hono } from "hono";
import type { Host } from "../request-context";

/**
 * Answers WebSockets at the path of Responses with 426: Codex then sends its requests over HTTP, without a warning. It needs no
 * key and is not recorded, because nothing has failed.
 */
export function rejectUpgrade(app: Hono<Host>): void {
  app.get("/v1/responses", ({ req }, next) =>
    req.header("upgrade")?.toLowerCase() === "websocket" ? Promise.resolve(upgradeRequired()) : next(),
  );
}

const upgradeRequired = () => new Response(null, { status: 426, headers: { Upgrade: "HTTP/1.1" } });
