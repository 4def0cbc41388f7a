import { createMcpApp } from "../../server/api/mcp/app";
import { getHub } from "../../server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

let app: ReturnType<typeof createMcpApp> | undefined;

/** Serves MCP under plain Next. The hub's own server handles this path before Next. */
async function serve(request: Request): Promise<Response> {
  app ??= createMcpApp(await getHub());
  return app.fetch(request);
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
