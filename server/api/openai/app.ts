import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { problemResponse } from "../middleware/problem";
import { createRequestContext, type Host } from "../request-context";
import { createSpeech, createTranscription } from "./audio";
import { CHAT_PATH, registerChat } from "./chat";
import { createEmbeddings } from "./embeddings";
import { createImage, editImage } from "./images";
import { registerModels } from "./models";
import { registerOperation } from "./route";

/** The operations beside chat and models, which only POST serves. */
const operations = [createImage, editImage, createSpeech, createTranscription, createEmbeddings];

/**
 * Returns OpenAI's API of a hub under `/v1`, as a web-standard app like the REST API. Pages of any origin may call it,
 * because it accepts nothing but keys: no cookie opens it.
 */
export function createOpenAiApp(hub: Hub): Hono<Host> {
  const app = new Hono<Host>();
  app.use("*", cors(corsOptions));
  registerChat(app, hub);
  registerModels(app, hub);
  for (const operation of operations) registerOperation(app, hub, operation);
  for (const path of [CHAT_PATH, ...operations.map((one) => one.path)]) rejectMethods(app, hub, path, "POST");
  rejectMethods(app, hub, "/v1/models", "GET, HEAD");
  app.notFound((c) =>
    problemResponse(
      createRequestContext(hub, c, "openai"),
      new AppError("resource_not_found", "There is nothing at this path."),
    ),
  );
  app.onError((error, c) => problemResponse(createRequestContext(hub, c, "openai"), error));
  return app;
}

const PREFLIGHT_SECONDS = 86_400;

const corsOptions = {
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST"],
  exposeHeaders: [
    "X-Request-Id",
    "X-Generation-Id",
    "Idempotent-Replayed",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "x-should-retry",
  ],
  maxAge: PREFLIGHT_SECONDS,
};

/** Answers every other method of a path with 405. */
function rejectMethods(app: Hono<Host>, hub: Hub, path: string, allow: string): void {
  app.all(path, (c) =>
    problemResponse(
      createRequestContext(hub, c, "openai"),
      new AppError("method_not_allowed", `This path supports ${allow}.`, {}, { Allow: allow }),
    ),
  );
}
