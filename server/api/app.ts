import type { Hono } from "hono";
import type { Hub } from "../domain/hub";
import { adminOperations } from "./admin/openapi";
import { createBaseApp, rejectOtherMethods } from "./base-app";
import { createCallbackHandler, listCallbacks } from "./callbacks";
import { operations as publicOperations } from "./openapi";
import type { Envelope, Operation } from "./operation";
import type { Host } from "./request-context";
import { createOperationHandler } from "./serve";

const operations = [...publicOperations, ...adminOperations];

/**
 * Returns the REST API of a hub, the management API, and the callbacks of providers, as a web-standard app: any host can call
 * `app.fetch(request)`.
 */
export function createApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub);
  for (const operation of operations)
    app.on(operation.method, toHonoPath(operation), createOperationHandler(hub, operation));
  for (const [path, allowed] of listAllowedMethods(operations)) rejectOtherMethods(app, hub, path, allowed);
  for (const callback of listCallbacks(hub)) {
    app.post(callback.path, createCallbackHandler(hub, callback));
    rejectOtherMethods(app, hub, callback.path, { allow: "POST" });
  }
  return app;
}

const toHonoPath = ({ path }: Operation) => path.replace(/\{(\w+)\}/g, ":$1");

function listAllowedMethods(all: Operation[]): Map<string, { allow: string; envelope?: Envelope }> {
  const allowed = new Map<string, { allow: string; envelope?: Envelope }>();
  for (const operation of all) {
    const path = toHonoPath(operation);
    // HEAD comes with GET (RFC 9110, section 9.3.2).
    const methods = operation.method === "get" ? "GET, HEAD" : operation.method.toUpperCase();
    const previous = allowed.get(path);
    allowed.set(path, { allow: previous ? `${previous.allow}, ${methods}` : methods, envelope: operation.envelope });
  }
  return allowed;
}
