import type { Context, Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { createRequestContext, type Host } from "../request-context";

/**
 * Answers WebSockets at the path of Responses with 426: Codex then sends its requests over HTTP, without a warning. It needs no
 * key and is not recorded, because nothing has failed.
 */
export function rejectUpgrade(app: Hono<Host>, hub: Hub): void {
  app.get("/v1/responses", (c, next) =>
    c.req.header("upgrade")?.toLowerCase() === "websocket" ? Promise.resolve(upgradeRequired(hub, c)) : next(),
  );
}

const upgradeRequired = (hub: Hub, c: Context<Host>) =>
  new Response(null, { status: 426, headers: { ...createRequestContext(hub, c).headers, Upgrade: "HTTP/1.1" } });
