import { Hono } from "hono";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { registerPreflights } from "../middleware/preflight";
import { problemResponse } from "../middleware/problem";
import { createRequestContext, type Host } from "../request-context";
import { createMcpRoute } from "./route";

export const MCP_PATH = "/mcp";

/**
 * Returns the MCP server of a hub as a web-standard app like the REST API. Pages of any origin may call it, because it
 * accepts keys only, no cookies.
 */
export function createMcpApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  registerPreflights(app, hub);
  app.post(MCP_PATH, createMcpRoute(hub));
  // There are no sessions and no streams that the server opens, which GET and DELETE of older revisions are for.
  app.all(MCP_PATH, (c) =>
    problemResponse(
      createRequestContext(hub, c),
      new AppError("method_not_allowed", "This path supports POST.", {}, { Allow: "POST" }),
    ),
  );
  app.notFound((c) =>
    problemResponse(createRequestContext(hub, c), new AppError("resource_not_found", "There is nothing at this path.")),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c), error));
  return app;
}
