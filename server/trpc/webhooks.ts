import { z } from "zod";
import { createEndpoint } from "../domain/endpoints/create";
import { serializeDelivery, listDeliveries } from "../domain/deliveries/delivery";
import { serializeEndpoint } from "../domain/endpoints/endpoint";
import { getEndpoint, listEndpoints } from "../domain/endpoints/find-endpoints";
import { getDeliveryRequest } from "../domain/deliveries/get-request";
import { WebhookInput } from "../domain/endpoints/input";
import { redeliverDeliveries, redeliverDelivery, redeliverFailed } from "../domain/deliveries/redeliver";
import { revokeEndpoint } from "../domain/endpoints/revoke";
import { rotateSecret } from "../domain/endpoints/rotate-secret";
import { sendTest } from "../domain/deliveries/send-test";
import { hideResponses } from "./hide-content";
import { byId, contentProcedure, cursor, procedure, router } from "./procedure";

const PAGE = 20;

export const webhooks = router({
  list: procedure("read").query(async ({ ctx }) => (await listEndpoints(ctx)).map(serializeEndpoint)),

  get: procedure("read")
    .input(byId)
    .query(async ({ ctx, input }) => serializeEndpoint(await getEndpoint(ctx, input.id))),

  create: procedure("develop")
    .input(WebhookInput)
    .mutation(async ({ ctx, input }) => {
      const { endpoint, secret } = await createEndpoint(ctx, input);
      return { ...serializeEndpoint(endpoint), secret };
    }),

  rotateSecret: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => ({ secret: (await rotateSecret(ctx, input.id)).secret })),

  revoke: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => revokeEndpoint(ctx, input.id)),

  sendTest: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => serializeDelivery(await sendTest(ctx, input.id))),

  deliveries: procedure("read")
    .input(byId.extend({ cursor, failed: z.boolean().optional() }))
    .query(async ({ ctx, input: { id, cursor, failed } }) => {
      const { data, next_cursor } = await listDeliveries(ctx, id, { limit: PAGE, cursor, failed });
      return { data: data.map((delivery) => hideResponses(ctx.actor, serializeDelivery(delivery))), next_cursor };
    }),

  /** Returns the headers and body of a delivery. */
  request: contentProcedure.input(byId).query(({ ctx, input }) => getDeliveryRequest(ctx, input.id)),

  redeliver: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => serializeDelivery(await redeliverDelivery(ctx, input.id))),

  /** Sends the selected deliveries again, and returns how many. */
  redeliverSelected: procedure("develop")
    .input(z.object({ ids: z.array(byId.shape.id).max(PAGE) }))
    .mutation(async ({ ctx, input }) => ({ count: await redeliverDeliveries(ctx, input.ids) })),

  /** Sends the failed deliveries of a webhook again, and returns how many. */
  redeliverFailed: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => ({ count: await redeliverFailed(ctx, input.id) })),
});
