import { createApp } from "../../../../server/api/app";
import { getHub } from "../../../../server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

let app: ReturnType<typeof createApp> | undefined;

/** Serves the REST API under plain Next. The hub's own server handles these paths before Next. */
async function serve(request: Request): Promise<Response> {
  app ??= createApp(await getHub());
  return app.fetch(request);
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
