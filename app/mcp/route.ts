import { hostApp } from "@/app/host-app";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves MCP under plain Next. The hub's own server handles this path before Next. */
const serve = hostApp(({ createMcpApp }) => createMcpApp);

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
