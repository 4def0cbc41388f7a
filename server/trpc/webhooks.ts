import { createEndpoint } from "../domain/webhooks/create";
import { serializeDelivery, listDeliveries } from "../domain/webhooks/delivery";
import { serializeEndpoint } from "../domain/webhooks/endpoint";
import { getEndpoint, listEndpoints } from "../domain/webhooks/find-endpoints";
import { getDeliveryRequest } from "../domain/webhooks/get-request";
import { WebhookInput } from "../domain/webhooks/input";
import { redeliverDelivery } from "../domain/webhooks/redeliver";
import { revokeEndpoint } from "../domain/webhooks/revoke";
import { rotateSecret } from "../domain/webhooks/rotate-secret";
import { sendTest } from "../domain/webhooks/send-test";
import { byId, cursor, procedure, router } from "./procedure";

const PAGE = 20;

export const webhooks = router({
  list: procedure.query(async ({ ctx }) => (await listEndpoints(ctx)).map(serializeEndpoint)),

  get: procedure.input(byId).query(async ({ ctx, input }) => serializeEndpoint(await getEndpoint(ctx, input.id))),

  create: procedure.input(WebhookInput).mutation(async ({ ctx, input }) => {
    const { endpoint, secret } = await createEndpoint(ctx, input);
    return { ...serializeEndpoint(endpoint), secret };
  }),

  rotateSecret: procedure
    .input(byId)
    .mutation(async ({ ctx, input }) => ({ secret: (await rotateSecret(ctx, input.id)).secret })),

  revoke: procedure.input(byId).mutation(({ ctx, input }) => revokeEndpoint(ctx, input.id)),

  sendTest: procedure.input(byId).mutation(async ({ ctx, input }) => serializeDelivery(await sendTest(ctx, input.id))),

  deliveries: procedure.input(byId.extend({ cursor })).query(async ({ ctx, input: { id, cursor } }) => {
    const { data, next_cursor } = await listDeliveries(ctx, id, { limit: PAGE, cursor });
    return { data: data.map(serializeDelivery), next_cursor };
  }),

  /** Returns the headers and body of a delivery. */
  request: procedure.input(byId).query(({ ctx, input }) => getDeliveryRequest(ctx, input.id)),

  redeliver: procedure
    .input(byId)
    .mutation(async ({ ctx, input }) => serializeDelivery(await redeliverDelivery(ctx, input.id))),
});
