import { z } from "zod";
import { webhookActions } from "../actions/webhooks";
import {
  getDeliveryRequest,
  listDeliveries,
  redeliverDeliveries,
  redeliverFailed,
  serializeDelivery,
} from "../domain/deliveries";
import { getEndpoint, listEndpointHealth, serializeEndpoint } from "../domain/endpoints";
import { hideResponses } from "./hide-content";
import { bareMutationOf, byId, contentProcedure, cursor, mutationOf, procedure, queryOf, router } from "./procedure";

const PAGE = 20;

export const webhooks = router({
  list: queryOf(webhookActions.list),

  get: procedure("read")
    .input(byId)
    .query(async ({ ctx, input }) => serializeEndpoint(await getEndpoint(ctx, input.id))),

  /**
   * Returns the health of the active webhooks, or of the one with this id, which may also be a host of webhook URLs in requests.
   */
  health: procedure("read")
    .input(byId.partial())
    .query(({ ctx, input }) => listEndpointHealth(ctx, input.id)),

  create: mutationOf(webhookActions.create),
  rotateSecret: mutationOf(webhookActions.rotateSecret),
  // A mutation, so that the secret stays out of the cache of queries.
  showSigningSecret: bareMutationOf(webhookActions.getSigningSecret),
  rotateSigningSecret: bareMutationOf(webhookActions.rotateSigningSecret),
  revoke: mutationOf(webhookActions.revoke),
  sendTest: mutationOf(webhookActions.sendTest),
  redeliver: mutationOf(webhookActions.redeliver),

  deliveries: procedure("read")
    .input(byId.extend({ cursor, failed: z.boolean().optional() }))
    .query(async ({ ctx, input: { id, cursor, failed } }) => {
      const { data, next_cursor } = await listDeliveries(ctx, id, { limit: PAGE, cursor, failed });
      return { data: data.map((delivery) => hideResponses(ctx.actor, serializeDelivery(delivery))), next_cursor };
    }),

  /** Returns the headers and body of a delivery. */
  request: contentProcedure.input(byId).query(({ ctx, input }) => getDeliveryRequest(ctx, input.id)),

  /** Sends the selected deliveries again, and returns how many. */
  redeliverSelected: procedure("develop")
    .input(z.object({ ids: z.array(byId.shape.id).max(PAGE) }))
    .mutation(async ({ ctx, input }) => ({ count: await redeliverDeliveries(ctx, input.ids) })),

  /** Sends the failed deliveries of a webhook again, and returns how many. */
  redeliverFailed: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => ({ count: await redeliverFailed(ctx, input.id) })),
});
