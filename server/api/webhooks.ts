import { z } from "@hono/zod-openapi";
import { webhookActions } from "../actions/webhooks";
import { listDeliveries, serializeDelivery } from "../domain/deliveries";
import { listEvents } from "../domain/envelopes";
import { describeCallbacks } from "./describe-events";
import { defineOperation, serveAction } from "./operation";
import { pendingDelivery, pendingTest } from "./schemas/example-delivery";
import { uuid } from "./schemas/values";
import * as schemas from "./schemas/webhook";
import { Feed, FeedQuery } from "./schemas/webhook";

const PATH = "/api/v1/hub/webhooks";
const params = z.object({ id: uuid.openapi({ description: "Id of a webhook" }) });
const deliveryParams = z.object({ id: uuid.openapi({ description: "Id of a delivery" }) });
const shared = { tag: "Webhooks", auth: "key" } as const;
const forbids = "The events are about payments, which whoever created or last rotated the key may not see";

export const createWebhook = serveAction(webhookActions.create, {
  ...shared,
  name: "createWebhook",
  method: "post",
  path: PATH,
  summary: "Create a webhook",
  description:
    "Registers a URL, which must use https and be reachable on the public internet. Returns the secret that signs every " +
    "delivery; it is shown only once. An account can have five active webhooks. Events of payments need the API " +
    "key of somebody who may see the account's payments, such as an owner.",
  forbids,
  responses: {
    201: {
      description: "The created webhook",
      schema: schemas.WebhookWithSecret,
      links: {
        testWebhook: "/id",
        listWebhookDeliveries: "/id",
        rotateWebhookSecret: "/id",
        revokeWebhook: "/id",
      },
    },
  },
  callbacks: describeCallbacks(),
  problems: [],
});

export const listWebhooks = serveAction(webhookActions.list, {
  ...shared,
  name: "listWebhooks",
  method: "get",
  path: PATH,
  summary: "List webhooks",
  description: "Returns your webhooks without their secrets, each with its latest failed delivery.",
  responses: { 200: { description: "The webhooks", schema: schemas.WebhookList } },
  problems: [],
  respond: (data) => ({ json: { data } }),
});

export const revokeWebhook = serveAction(webhookActions.revoke, {
  ...shared,
  name: "revokeWebhook",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Revoke a webhook",
  description: "Stops all deliveries to the webhook and cancels pending ones.",
  params,
  responses: { 204: { description: "Revoked" } },
  problems: ["resource_not_found"],
});

export const rotateWebhookSecret = serveAction(webhookActions.rotateSecret, {
  ...shared,
  name: "rotateWebhookSecret",
  method: "post",
  path: `${PATH}/{id}/rotate-secret`,
  summary: "Rotate a secret",
  description:
    "Returns a new secret, which is shown only once. For 24 hours, deliveries are also signed with the old secret.",
  params,
  responses: { 200: { description: "The webhook with its new secret", schema: schemas.WebhookWithSecret } },
  problems: ["resource_not_found"],
});

const session = { tag: "Webhooks", auth: "session", path: `${PATH}/signing-secret` } as const;

export const getSigningSecretOperation = serveAction(webhookActions.getSigningSecret, {
  ...session,
  name: "getSigningSecret",
  method: "get",
  summary: "Retrieve the signing secret",
  description:
    "Returns the secret that signs the deliveries of generations' own webhooks (`webhook` of a new generation). The " +
    "account's first use of it creates it.",
  responses: { 200: { description: "The signing secret", schema: schemas.SigningSecret } },
  problems: ["invalid_state"],
});

export const rotateSigningSecretOperation = serveAction(webhookActions.rotateSigningSecret, {
  ...session,
  name: "rotateSigningSecret",
  method: "post",
  summary: "Rotate the signing secret",
  description: "Returns a new secret. For 24 hours, deliveries are also signed with the old secret.",
  responses: { 200: { description: "The new signing secret", schema: schemas.SigningSecret } },
  problems: [],
});

export const testWebhook = serveAction(webhookActions.sendTest, {
  ...shared,
  name: "testWebhook",
  method: "post",
  path: `${PATH}/{id}/test`,
  summary: "Send a test event",
  description: "Sends a `webhook.test` event with an example generation, signed like any other. It is not retried.",
  params,
  responses: {
    202: {
      description: "The pending delivery",
      schema: schemas.Delivery,
      example: pendingTest,
      links: { redeliverWebhook: "/id" },
    },
  },
  problems: ["resource_not_found"],
});

export const listWebhookDeliveries = defineOperation({
  ...shared,
  name: "listWebhookDeliveries",
  method: "get",
  path: `${PATH}/{id}/deliveries`,
  summary: "List deliveries",
  description: "Returns the deliveries of the last 30 days, newest event first, with a log of their attempts.",
  cost: "read",
  params,
  query: schemas.DeliveryQuery,
  responses: { 200: { description: "One page of deliveries", schema: schemas.DeliveryPage } },
  problems: ["resource_not_found"],
  async handler({ ctx, params, query }) {
    const { data, next_cursor } = await listDeliveries(ctx, params.id!, query);
    return { json: { data: data.map(serializeDelivery), next_cursor } };
  },
});

export const redeliverWebhook = serveAction(webhookActions.redeliver, {
  ...shared,
  name: "redeliverWebhook",
  method: "post",
  path: `${PATH}/deliveries/{id}/redeliver`,
  summary: "Redeliver an event",
  description: "Sends the delivery again immediately, with the same id and body, and restarts its retry schedule.",
  params: deliveryParams,
  responses: { 202: { description: "The pending delivery", schema: schemas.Delivery, example: pendingDelivery } },
  problems: ["resource_not_found"],
});

export const listEventsOperation = defineOperation({
  name: "listEvents",
  method: "get",
  path: "/api/v1/hub/events",
  tag: "Webhooks",
  summary: "List events",
  description:
    "Returns the envelopes that webhooks receive, oldest first, for programs without a public address. Events are kept " +
    "for 30 days, starting with your first webhook or first call of this operation. Events of generations alone are " +
    "listed, unless `types` names others. Events of payments and of the balance need the API key of somebody who may see " +
    "the account's payments, such as an owner.",
  forbids,
  auth: "key",
  cost: "read",
  query: FeedQuery,
  responses: { 200: { description: "The events after the given position", schema: Feed } },
  problems: [],
  async handler({ ctx, query }) {
    const { envelopes, ...position } = await listEvents(ctx, query);
    return { json: { data: envelopes.map((text) => JSON.parse(text) as unknown), ...position } };
  },
});
