import {
  createEndpoint,
  listEndpoints,
  revokeEndpoint,
  rotateSecret,
  serializeEndpoint,
  WebhookInput,
} from "../domain/endpoints";
import { getSigningSecret, rotateSigningSecret } from "../domain/webhook-secrets";
import { redeliverDelivery, sendTest, serializeDelivery } from "../domain/deliveries";
import { defineAction, defineItemAction } from "./action";

const change = { access: "develop", cost: "write" } as const;

export const webhookActions = {
  list: defineAction({
    access: "read",
    cost: "read",
    run: async (ctx) => (await listEndpoints(ctx)).map(serializeEndpoint),
  }),

  create: defineAction({
    ...change,
    body: WebhookInput,
    async run(ctx, body) {
      const { endpoint, secret } = await createEndpoint(ctx, body);
      return { ...serializeEndpoint(endpoint), secret };
    },
  }),

  getSigningSecret: defineAction({ access: "develop", cost: "keys", run: (ctx) => getSigningSecret(ctx) }),

  rotateSigningSecret: defineAction({ access: "develop", cost: "keys", run: (ctx) => rotateSigningSecret(ctx) }),

  revoke: defineItemAction({ ...change, run: (ctx, { id }) => revokeEndpoint(ctx, id) }),

  rotateSecret: defineItemAction({
    ...change,
    async run(ctx, { id }) {
      const { endpoint, secret } = await rotateSecret(ctx, id);
      return { ...serializeEndpoint(endpoint), secret };
    },
  }),

  sendTest: defineItemAction({ ...change, run: async (ctx, { id }) => serializeDelivery(await sendTest(ctx, id)) }),

  redeliver: defineItemAction({
    ...change,
    run: async (ctx, { id }) => serializeDelivery(await redeliverDelivery(ctx, id)),
  }),
};
