import { createApp } from "../../../../server/api/app";
import { getHub } from "../../../../server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves the callbacks of providers under plain Next. The hub's own server handles these paths before Next. */
export async function POST(request: Request): Promise<Response> {
  return createApp(await getHub()).fetch(request);
}
