import { Hono } from "hono";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { problemResponse } from "../middleware/problem";
import { createRequestContext, type Host } from "../request-context";
import { CHAT_PATH, registerChat } from "./chat";
import { registerModels } from "./models";

/** Returns OpenAI's API of a hub under `/v1`, as a web-standard app like the REST API. */
export function createOpenAiApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  registerChat(app, hub);
  registerModels(app, hub);
  const rejectMethod = (path: string, allow: string) =>
    app.all(path, (c) =>
      problemResponse(
        createRequestContext(hub, c, "openai"),
        new AppError("method_not_allowed", `This path supports ${allow}.`, {}, { Allow: allow }),
      ),
    );
  rejectMethod(CHAT_PATH, "POST");
  rejectMethod("/v1/models", "GET, HEAD");
  app.notFound((c) =>
    problemResponse(
      createRequestContext(hub, c, "openai"),
      new AppError("resource_not_found", "There is nothing at this path."),
    ),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c, "openai"), error));
  return app;
}
