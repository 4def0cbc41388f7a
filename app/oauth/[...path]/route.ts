import { hostApp } from "@/app/host-app";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const serveOAuth = hostApp(({ createOAuthApp }) => createOAuthApp);

/** Serves OAuth under plain Next. The hub's own server handles these paths before Next. */
const serve = (request: Request): Promise<Response> =>
  // Where next.config.js sends the documents.
  serveOAuth(new Request(request.url.replace("/oauth/.well-known/", "/.well-known/"), request));

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
