import { hostApp } from "@/app/host-app";

/** Serves an Inngest server. Responds with 404 without one. */
const serve = hostApp(({ createInngestApp }) => createInngestApp);

export { serve as GET, serve as POST, serve as PUT };
