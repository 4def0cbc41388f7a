import type { Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { createBaseApp, rejectOtherMethods } from "../base-app";
import type { Host } from "../request-context";
import type { createMcpRoute } from "./route";

const MCP_PATH = "/mcp";

/**
 * Returns the MCP server of a hub as a web-standard app like the REST API. Pages of any origin may call it, because it
 * accepts keys only, no cookies.
 */
export function createMcpApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub);
  // Loading the MCP library would take a twentieth of the hub's start, so the first request loads it.
  let route: Promise<ReturnType<typeof createMcpRoute>> | undefined;
  app.post(MCP_PATH, async (c) => {
    route ??= import("./route").then((loaded) => loaded.createMcpRoute(hub));
    return (await route)(c);
  });
  // GET and DELETE of older revisions are for sessions and for streams that the server opens; the hub has neither.
  rejectOtherMethods(app, hub, MCP_PATH, { allow: "POST" });
  return app;
}
