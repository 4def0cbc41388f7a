import { z } from "@hono/zod-openapi";
import { createKey } from "../domain/keys/create";
import { KeyInput } from "../domain/keys/input";
import { serializeKey, listKeys, revokeKey } from "../domain/keys/key";
import { defineOperation } from "./operation";
import * as schemas from "./schemas/key";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/keys";
const shared = { tag: "Keys", auth: "session", cost: "keys" } as const;

export const createApiKey = defineOperation({
  ...shared,
  name: "createKey",
  method: "post",
  path: PATH,
  summary: "Create an API key",
  description: "Returns the key itself, which is shown only once: the hub stores its hash.",
  body: KeyInput,
  responses: { 201: { description: "The created key", schema: schemas.KeyWithSecret, links: { revokeKey: "/id" } } },
  problems: [],
  async handler({ hub, ctx, body }) {
    const { record, key } = await createKey(hub, ctx.account.id, body, ctx.actor);
    return { status: 201, json: { ...serializeKey(record), key } };
  },
});

export const listApiKeys = defineOperation({
  ...shared,
  name: "listKeys",
  method: "get",
  path: PATH,
  summary: "List API keys",
  description: "Returns all API keys, including revoked ones, with what each has spent.",
  responses: { 200: { description: "The keys", schema: schemas.KeyList } },
  problems: [],
  handler: async ({ ctx }) => ({ json: { data: (await listKeys(ctx)).map(serializeKey) } }),
});

export const revokeApiKey = defineOperation({
  ...shared,
  name: "revokeKey",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Revoke an API key",
  description: "Revokes the key. Its next request is rejected.",
  params: z.object({ id: uuid.openapi({ description: "Id of a key" }) }),
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
  async handler({ ctx, params }) {
    await revokeKey(ctx, params.id!);
    return { status: 204, content: null };
  },
});
