import { Hono } from "hono";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { registerPreflights } from "../middleware/preflight";
import { problemResponse } from "../middleware/problem";
import { createRequestContext, type Host } from "../request-context";
import { createOperationHandler } from "../serve";
import { chatOperation, registerChat } from "./chat";
import { completionOperation } from "./completions";
import { registerModels } from "./models";
import { findNearestRoute } from "./nearest-route";
import { describeOpenAiApi, mediaOperations, openAiOperations } from "./openapi";
import { registerOperation } from "./route";

/**
 * Returns OpenAI's API of a hub under `/v1` as a web-standard app like the REST API. Unknown paths, also `/v1beta` and
 * `/chat/completions`, get a 404 that names the route to call. Pages of any origin may call it, because it accepts keys
 * only, no cookies.
 */
export function createOpenAiApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  registerPreflights(app, hub);
  registerChat(app, hub, chatOperation);
  registerChat(app, hub, completionOperation);
  registerModels(app, hub);
  for (const operation of mediaOperations) registerOperation(app, hub, operation);
  app.get(describeOpenAiApi.path, createOperationHandler(hub, describeOpenAiApi));
  for (const { path } of [chatOperation, completionOperation, ...mediaOperations])
    rejectMethods(app, hub, path, "POST");
  for (const path of ["/v1/models", "/v1/models/:id{.+}", describeOpenAiApi.path])
    rejectMethods(app, hub, path, "GET, HEAD");
  app.notFound((c) =>
    problemResponse(
      createRequestContext(hub, c, "openai"),
      new AppError("resource_not_found", `There is nothing at this path. ${describeNearest(c.req.path)}`),
    ),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c, "openai"), error));
  return app;
}

/** Returns a sentence that names the route to call instead of a path. */
function describeNearest(path: string): string {
  const nearest = findNearestRoute(openAiOperations, path);
  if (!nearest) return `${describeOpenAiApi.path} lists the paths that work.`;
  return `Use ${nearest.method.toUpperCase()} ${nearest.path}.`;
}

/** Responds to every other method of a path with a 405 that names the allowed one. */
function rejectMethods(app: Hono<Host>, hub: Hub, path: string, allow: string): void {
  app.all(path, (c) =>
    problemResponse(
      createRequestContext(hub, c, "openai"),
      new AppError(
        "method_not_allowed",
        `This path supports ${allow}: use ${allow.split(",")[0]} ${path.replace(":id{.+}", "{id}")}.`,
        {},
        { Allow: allow },
      ),
    ),
  );
}
