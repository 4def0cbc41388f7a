import type { Hono } from "hono";
import type { Hub } from "../domain/hub";
import { adminOperations } from "./admin/openapi";
import { createBaseApp, rejectOtherMethods } from "./base-app";
import { createCallbackHandler, listCallbacks } from "./callbacks";
import { groupByPath, listAllowed } from "./group-by-path";
import { operations as publicOperations } from "./openapi";
import type { Host } from "./request-context";
import { createOperationHandler } from "./serve";

const operations = [...publicOperations, ...adminOperations];

/**
 * Returns the REST API of a hub, the management API, and the callbacks of providers, as a web-standard app: any host can call
 * `app.fetch(request)`.
 */
export function createApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub);
  for (const [path, own] of groupByPath(operations)) {
    const pattern = path.replace(/\{(\w+)\}/g, ":$1");
    for (const operation of own) app.on(operation.method, pattern, createOperationHandler(hub, operation));
    // Before the next path, which may have a parameter that matches this one.
    rejectOtherMethods(app, hub, pattern, { allow: listAllowed(own), envelope: own[0]!.envelope });
  }
  for (const callback of listCallbacks(hub)) {
    app.post(callback.path, createCallbackHandler(hub, callback));
    rejectOtherMethods(app, hub, callback.path, { allow: "POST" });
  }
  return app;
}
