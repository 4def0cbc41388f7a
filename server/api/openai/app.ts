import type { Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { createBaseApp, rejectOtherMethods } from "../base-app";
import { groupByPath, listAllowed } from "../group-by-path";
import type { Operation } from "../operation";
import type { Host } from "../request-context";
import { createOperationHandler } from "../serve";
import { chatOperation } from "./chat";
import { completionOperation } from "./completions";
import { registerModels } from "./models";
import { describeOpenAiApi, mediaOperations, openAiOperations, responseOperations, videoOperations } from "./openapi";
import { rejectUpgrade } from "./reject-upgrade";
import { registerOperation, toPattern } from "./route";
import { rejectUnsupported } from "./videos";

/**
 * Returns OpenAI's API of a hub under `/v1` as a web-standard app like the REST API. Unknown paths, also `/v1beta` and
 * `/chat/completions`, get a 404 that names the route to call. Pages of any origin may call it, because it accepts keys
 * only, no cookies.
 */
export function createOpenAiApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub, { envelope: "openai", describeNearest });
  registerModels(app, hub);
  app.get(describeOpenAiApi.path, createOperationHandler(hub, describeOpenAiApi));
  for (const operation of [chatOperation, completionOperation, ...mediaOperations]) {
    registerOperation(app, hub, operation);
    rejectMethods(app, hub, operation.path, "POST");
  }
  rejectUpgrade(app, hub);
  registerResource(app, hub, responseOperations);
  rejectUnsupported(app, hub);
  registerResource(app, hub, videoOperations);
  for (const path of ["/v1/models", "/v1/models/:id{.+}", describeOpenAiApi.path])
    rejectMethods(app, hub, path, "GET, HEAD");
  return app;
}

/** Registers operations that share paths, path by path, and rejects the other methods of each before the next. */
function registerResource(app: Hono<Host>, hub: Hub, operations: Operation[]): void {
  for (const [path, own] of groupByPath(operations)) {
    for (const operation of own) registerOperation(app, hub, operation);
    rejectMethods(app, hub, path, listAllowed(own));
  }
}

/** Returns a sentence that names the route to call instead of a path. */
function describeNearest(path: string): string {
  const nearest = findNearestOperation(path);
  if (!nearest) return `${describeOpenAiApi.path} lists the paths that work.`;
  return `Use ${nearest.method.toUpperCase()} ${nearest.path}.`;
}

/** Responds to every other method of a path with a 405 that names the allowed one. */
function rejectMethods(app: Hono<Host>, hub: Hub, path: string, allow: string): void {
  const message = `This path supports ${allow}: use ${allow.split(",")[0]} ${path.replace(":id{.+}", "{id}")}.`;
  rejectOtherMethods(app, hub, toPattern(path), { allow, envelope: "openai", message });
}

/** Names of a chat in other APIs, and in newer ones of OpenAI. */
const CHAT_WORDS = ["messages", "generatecontent", "streamgeneratecontent", "converse", "complete"];

/** Returns the operation that a caller of an unknown path probably means; null when none is near. */
function findNearestOperation(path: string): Operation | null {
  const words = toWords(path);
  if (words.some((word) => CHAT_WORDS.includes(word))) return chatOperation;
  let nearest: Operation | null = null;
  let best = 0;
  for (const operation of openAiOperations) {
    const own = toWords(operation.path);
    const shared = own.filter((word) => words.some((other) => isSimilar(word, other))).length;
    // Of two operations with equally many words in common, the one with fewer others is nearer.
    const score = shared - (own.length - shared) / 10;
    if (shared > 0 && score > best) [nearest, best] = [operation, score];
  }
  return nearest;
}

const toWords = (path: string) =>
  path
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && word !== "v" && word !== "vbeta" && word !== "id");

/** Returns whether two words are equal but for a plural s. */
const isSimilar = (word: string, other: string) => word === other || word === `${other}s` || other === `${word}s`;
