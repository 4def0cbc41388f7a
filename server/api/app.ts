import { Hono } from "hono";
import type { Hub } from "../context";
import { AppError } from "../errors";
import { type Host, createRequestContext } from "./request-context";
import { problemResponse } from "./middleware/problem";
import { operations } from "./openapi";
import type { Envelope, Operation } from "./operation";
import { createOperationHandler } from "./serve";

/** The whole REST API of a hub, web-standard: `app.fetch(request)` under any host. */
export function createApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  for (const operation of operations)
    app.on(operation.method, honoPath(operation), createOperationHandler(hub, operation));
  for (const [path, { allow, envelope }] of allowedMethods(operations)) {
    app.all(path, (c) => {
      const refusal = `This path takes ${allow}.`;
      return problemResponse(
        createRequestContext(hub, c, envelope),
        new AppError("method_not_allowed", refusal, {}, { Allow: allow }),
      );
    });
  }
  app.notFound((c) =>
    problemResponse(createRequestContext(hub, c), new AppError("resource_not_found", "There is nothing at this path.")),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c), error));
  return app;
}

const honoPath = ({ path }: Operation) => path.replace(/\{(\w+)\}/g, ":$1");

function allowedMethods(all: Operation[]): Map<string, { allow: string; envelope?: Envelope }> {
  const allowed = new Map<string, { allow: string; envelope?: Envelope }>();
  for (const operation of all) {
    const path = honoPath(operation);
    // HEAD comes with GET (RFC 9110, section 9.3.2).
    const methods = operation.method === "get" ? "GET, HEAD" : operation.method.toUpperCase();
    const others = allowed.get(path);
    allowed.set(path, { allow: others ? `${others.allow}, ${methods}` : methods, envelope: operation.envelope });
  }
  return allowed;
}
