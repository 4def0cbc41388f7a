import { createOAuthApp } from "../../../server/api/oauth/app";
import { getHub } from "../../../server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

let app: ReturnType<typeof createOAuthApp> | undefined;

/** Serves OAuth under plain Next. The hub's own server handles these paths before Next. */
async function serve(request: Request): Promise<Response> {
  app ??= createOAuthApp(await getHub());
  // Where next.config.js sends the documents.
  return app.fetch(new Request(request.url.replace("/oauth/.well-known/", "/.well-known/"), request));
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
