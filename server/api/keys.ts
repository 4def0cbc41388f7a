import { z } from "@hono/zod-openapi";
import { createKey } from "../domain/keys/create";
import { KeyInput, KeyPatch, KeyRotation } from "../domain/keys/input";
import { serializeKey, listKeys, revokeKey } from "../domain/keys/key";
import { rotateKey } from "../domain/keys/rotate";
import { changeKey } from "../domain/ledger/change-key";
import { checkAllowedModels } from "../domain/models/offered-models";
import { defineOperation } from "./operation";
import * as schemas from "./schemas/key";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/keys";
const params = z.object({ id: uuid.openapi({ description: "Id of a key" }) });
const shared = { tag: "Keys", auth: "session", access: "develop", cost: "keys" } as const;
const links = { updateKey: "/id", rotateKey: "/id", revokeKey: "/id" } as const;

export const createApiKey = defineOperation({
  ...shared,
  name: "createKey",
  method: "post",
  path: PATH,
  summary: "Create an API key",
  description: "Returns the key itself, which is shown only once: the hub stores its hash.",
  body: KeyInput,
  responses: { 201: { description: "The created key", schema: schemas.KeyWithSecret, links } },
  problems: [],
  async handler({ hub, ctx, body }) {
    checkAllowedModels(ctx, body.allowed_models);
    const { record, key } = await createKey(hub, ctx.account.id, body, ctx.actor);
    return { status: 201, json: { ...serializeKey(record), key } };
  },
});

export const listApiKeys = defineOperation({
  ...shared,
  access: "read",
  name: "listKeys",
  method: "get",
  path: PATH,
  summary: "List API keys",
  description: "Returns all API keys, including revoked ones, with what each has spent.",
  responses: { 200: { description: "The keys", schema: schemas.KeyList } },
  problems: [],
  handler: async ({ ctx }) => ({ json: { data: (await listKeys(ctx)).map(serializeKey) } }),
});

export const updateApiKey = defineOperation({
  ...shared,
  name: "updateKey",
  method: "patch",
  path: `${PATH}/{id}`,
  summary: "Update an API key",
  description:
    "Changes the members that you send, from the key's next request on. A paused key is rejected with 401 until it is " +
    "resumed. What the key has spent in the period counts towards a new limit; a limit below that rejects new work and " +
    "leaves running work alone. A model that the key may not use is unknown to it.",
  params,
  body: KeyPatch,
  responses: { 200: { description: "The changed key", schema: schemas.Key } },
  problems: ["resource_not_found"],
  async handler({ ctx, params, body }) {
    checkAllowedModels(ctx, body.allowed_models);
    return { json: serializeKey(await changeKey(ctx, params.id!, body)) };
  },
});

export const rotateApiKey = defineOperation({
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
  body: KeyRotation,
  responses: { 200: { description: "The key with its new secret", schema: schemas.KeyWithSecret } },
  problems: ["resource_not_found", "invalid_state"],
  async handler({ ctx, params, body }) {
    const { record, key } = await rotateKey(ctx, params.id!, body.grace_hours);
    return { json: { ...serializeKey(record), key } };
  },
});

export const revokeApiKey = defineOperation({
  ...shared,
  name: "revokeKey",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Revoke an API key",
  description: "Revokes the key. Its next request is rejected.",
  params,
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
  async handler({ ctx, params }) {
    await revokeKey(ctx, params.id!);
    return { status: 204, content: null };
  },
});
