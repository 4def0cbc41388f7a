import type { Context, Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { rejectOtherMethods } from "../base-app";
import type { Host } from "../request-context";
import { responseOperations } from "./openapi";
import { registerOperation } from "./route";

/** Registers the paths of OpenAI's Responses. */
export function registerResponses(app: Hono<Host>, hub: Hub): void {
  app.get("/v1/responses", (context, next) => (isUpgrade(context) ? rejectUpgrade() : next()));
  for (const operation of responseOperations) registerOperation(app, hub, operation);
  const allowed = new Map<string, string[]>();
  for (const { path, method } of responseOperations) {
    const names = method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()];
    allowed.set(path, [...(allowed.get(path) ?? []), ...names]);
  }
  for (const [path, methods] of allowed)
    rejectOtherMethods(app, hub, path.replace("{id}", ":id"), {
      allow: methods.join(", "),
      envelope: "responses",
      message: `This path supports ${methods.join(", ")}.`,
    });
}

const isUpgrade = ({ req }: Context<Host>): boolean => req.header("upgrade")?.toLowerCase() === "websocket";

/** Tells a client that prefers WebSockets to send requests over HTTP, which Codex then does without a warning. */
const rejectUpgrade = async (): Promise<Response> =>
  new Response(null, { status: 426, headers: { Upgrade: "HTTP/1.1", "Content-Length": "0" } });
