import { createApp } from "../../../../server/api/app";
import { getHub } from "../../../../server/hub";
import { memoizePer } from "../../../../server/lib/memoize-per";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const appOf = memoizePer(createApp);

/** Hosts the same API wherever Next runs. Our own server answers these paths before Next sees them. */
async function serve(request: Request): Promise<Response> {
  return appOf(await getHub()).fetch(request);
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
