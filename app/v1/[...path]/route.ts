import { hostApp } from "@/app/host-app";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves OpenAI's and Anthropic's APIs under plain Next. The hub's own server handles these paths before Next. */
const serve = hostApp(({ createV1App }) => createV1App);

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
