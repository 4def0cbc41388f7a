import { hostApp } from "@/app/host-app";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves share links under plain Next. The hub's own server handles these paths before Next. */
const serve = hostApp(({ createShareApp }) => createShareApp);

export { serve as GET, serve as HEAD, serve as POST, serve as PUT, serve as PATCH, serve as DELETE, serve as OPTIONS };
