import { hostApp } from "@/app/host-app";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves the callbacks of providers under plain Next. The hub's own server handles these paths before Next. */
export const POST = hostApp(({ createApp }) => createApp);
