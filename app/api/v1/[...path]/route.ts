import { createApp } from "../../../../server/api/app";
import { getHub } from "../../../../server/hub";
import { memoizePer } from "../../../../server/lib/memoize-per";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const getApp = memoizePer(createApp);

/** Serves the REST API under plain Next. The hub's own server handles these paths before Next. */
async function serve(request: Request): Promise<Response> {
  return getApp(await getHub()).fetch(request);
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
