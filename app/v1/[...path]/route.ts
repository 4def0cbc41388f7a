import { createOpenAiApp } from "../../../server/api/openai/app";
import { getHub } from "../../../server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

let app: ReturnType<typeof createOpenAiApp> | undefined;

/** Serves OpenAI's API under plain Next. The hub's own server handles these paths before Next. */
async function serve(request: Request): Promise<Response> {
  app ??= createOpenAiApp(await getHub());
  return app.fetch(request);
}

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
