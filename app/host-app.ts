import type { Hub } from "@/server/domain/hub";
import { getHub, getPageApi, type PageApi } from "@/server/hub";

interface App {
  fetch(request: Request): Response | Promise<Response>;
}

/** Returns a route handler that serves an app of the server, which the first request creates. */
export function hostApp(chooseCreator: (api: PageApi) => (hub: Hub) => App): (request: Request) => Promise<Response> {
  let app: App | undefined;
  return async (request) => {
    app ??= chooseCreator(await getPageApi())(await getHub());
    return app.fetch(request);
  };
}
