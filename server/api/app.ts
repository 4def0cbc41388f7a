import { Hono } from "hono";
import type { Hub } from "../domain/hub";
import { AppError } from "../errors";
import { type Host, createRequestContext } from "./request-context";
import { registerPreflights } from "./middleware/preflight";
import { problemResponse } from "./middleware/problem";
import { operations } from "./openapi";
import type { Envelope, Operation } from "./operation";
import { createPaymentCallbackHandler, PAYMENT_CALLBACK_PATH } from "./payment-callback";
import { createCallbackHandler, PROVIDER_CALLBACK_PATH } from "./provider-callback";
import { createOperationHandler } from "./serve";

/**
 * Returns the REST API of a hub, and the callbacks of providers, as a web-standard app: any host can call
 * `app.fetch(request)`.
 */
export function createApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  registerPreflights(app, hub);
  for (const operation of operations)
    app.on(operation.method, toHonoPath(operation), createOperationHandler(hub, operation));
  for (const [path, { allow, envelope }] of listAllowedMethods(operations)) {
    app.all(path, (c) => {
      return problemResponse(
        createRequestContext(hub, c, envelope),
        new AppError("method_not_allowed", `This path supports ${allow}.`, {}, { Allow: allow }),
      );
    });
  }
  app.post(PROVIDER_CALLBACK_PATH, createCallbackHandler(hub));
  app.post(PAYMENT_CALLBACK_PATH, createPaymentCallbackHandler(hub));
  for (const path of [PROVIDER_CALLBACK_PATH, PAYMENT_CALLBACK_PATH]) {
    app.all(path, (c) =>
      problemResponse(
        createRequestContext(hub, c),
        new AppError("method_not_allowed", "This path supports POST.", {}, { Allow: "POST" }),
      ),
    );
  }
  app.notFound((c) =>
    problemResponse(createRequestContext(hub, c), new AppError("resource_not_found", "There is nothing at this path.")),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c), error));
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
