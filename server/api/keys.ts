import { z } from "@hono/zod-openapi";
import { keyActions } from "../actions/keys";
import { serveAction } from "./operation";
import * as schemas from "./schemas/key";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/keys";
const params = z.object({ id: uuid.openapi({ description: "Id of a key" }) });
const shared = { tag: "Keys", auth: "session" } as const;
const links = { updateKey: "/id", rotateKey: "/id", revokeKey: "/id" } as const;

export const createApiKey = serveAction(keyActions.create, {
  ...shared,
  name: "createKey",
  method: "post",
  path: PATH,
  summary: "Create an API key",
  description: "Returns the key itself, which is shown only once: the hub stores its hash.",
  responses: { 201: { description: "The created key", schema: schemas.KeyWithSecret, links } },
  problems: [],
});

export const listApiKeys = serveAction(keyActions.list, {
  ...shared,
  // Stricter than the action's limit, which also serves pages of the console that list keys.
  cost: "keys",
  name: "listKeys",
  method: "get",
  path: PATH,
  summary: "List API keys",
  description: "Returns all API keys, including revoked ones, with what each has spent.",
  responses: { 200: { description: "The keys", schema: schemas.KeyList } },
  problems: [],
  respond: (data) => ({ json: { data } }),
});

export const updateApiKey = serveAction(keyActions.update, {
  ...shared,
  name: "updateKey",
  method: "patch",
  path: `${PATH}/{id}`,
  summary: "Update an API key",
  description:
    "Changes the fields that you send, from the key's next request on. A paused key is rejected with 401 until it is " +
    "resumed. What the key has spent in the period counts towards a new limit; a limit below that rejects new work and " +
    "leaves running work alone. Models that the key may not use are hidden from it.",
  params,
  responses: { 200: { description: "The changed key", schema: schemas.Key } },
  problems: ["resource_not_found"],
});

export const rotateApiKey = serveAction(keyActions.rotate, {
  ...shared,
  name: "rotateKey",
  method: "post",
  path: `${PATH}/{id}/rotate`,
  summary: "Rotate an API key's secret",
  description:
    "Gives the key a new secret, which is shown only once. The current secret stays valid for `grace_hours`, then it is " +
    "rejected. While an earlier secret is still valid, only a rotation with `grace_hours: 0` is accepted (409 " +
    "otherwise); it ends both old secrets at once.",
  params,
  responses: { 200: { description: "The key with its new secret", schema: schemas.KeyWithSecret } },
  problems: ["resource_not_found", "invalid_state"],
});

export const revokeApiKey = serveAction(keyActions.revoke, {
  ...shared,
  name: "revokeKey",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Revoke an API key",
  description: "Revokes the key. Its next request is rejected.",
  params,
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
});
