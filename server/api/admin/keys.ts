import { z } from "@hono/zod-openapi";
import { accountKeyActions } from "../../actions/account-keys";
import { serveOperatorAction } from "../operation";
import * as schemas from "../schemas/key";
import { keyId } from "../schemas/admin";
import { accountParams, readAccountId } from "./accounts";

const OF_ACCOUNT = "/api/v1/admin/accounts/{id}/keys";
const PATH = "/api/v1/admin/keys/{id}";
const params = z.object({ id: keyId });
const links = { updateAdminKey: "/id", rotateAdminKey: "/id", revokeAdminKey: "/id" } as const;

export const createAdminKey = serveOperatorAction(accountKeyActions.create, {
  name: "createAdminKey",
  method: "post",
  path: OF_ACCOUNT,
  summary: "Create an API key of an account",
  description:
    "Returns the key itself, which is shown only once: the hub stores its hash. 409 while the account is suspended.",
  params: accountParams,
  responses: { 201: { description: "The created key", schema: schemas.KeyWithSecret, links } },
  problems: ["resource_not_found", "invalid_state"],
  readInput: ({ params, body }) => ({ ...body, id: readAccountId(params) }),
});

export const listAdminKeys = serveOperatorAction(accountKeyActions.list, {
  name: "listAdminKeys",
  method: "get",
  path: OF_ACCOUNT,
  summary: "List an account's API keys",
  description: "Returns all API keys of an account, including revoked ones, with what each has spent.",
  params: accountParams,
  responses: { 200: { description: "The keys", schema: schemas.KeyList } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => readAccountId(params),
  respond: (data) => ({ json: { data } }),
});

export const updateAdminKey = serveOperatorAction(accountKeyActions.update, {
  name: "updateAdminKey",
  method: "patch",
  path: PATH,
  summary: "Update an API key of an account",
  description: "Changes the fields that you send, from the key's next request on. A paused key is rejected with 401.",
  params,
  responses: { 200: { description: "The changed key", schema: schemas.Key } },
  problems: ["resource_not_found"],
  readInput: ({ params, body }) => ({ ...body, id: params.id! }),
});

export const rotateAdminKey = serveOperatorAction(accountKeyActions.rotate, {
  name: "rotateAdminKey",
  method: "post",
  path: `${PATH}/rotate`,
  summary: "Rotate an API key's secret",
  description:
    "Gives the key a new secret, which is shown only once. The current secret stays valid for `grace_hours`. While an " +
    "earlier secret is still valid, only a rotation with `grace_hours: 0` is accepted (409 otherwise).",
  params,
  responses: { 200: { description: "The key with its new secret", schema: schemas.KeyWithSecret } },
  problems: ["resource_not_found", "invalid_state"],
  readInput: ({ params, body }) => ({ ...body, id: params.id! }),
});

export const revokeAdminKey = serveOperatorAction(accountKeyActions.revoke, {
  name: "revokeAdminKey",
  method: "delete",
  path: PATH,
  summary: "Revoke an API key of an account",
  description: "Revokes the key. Its next request is rejected.",
  params,
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
  readInput: ({ params }) => params.id!,
});
