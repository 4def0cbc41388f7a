import type { Context } from "hono";
import type { Hub } from "../domain/hub";
import { receiveEvent } from "../domain/reconciliation";
import { AppError } from "../errors";
import { openAnonymousReservation, readBytes } from "./middleware/bytes";
import { drainRequestBody } from "./middleware/drain-request-body";
import { problemResponse } from "./middleware/problem";
import { createRequestContext, type Host } from "./request-context";

export const PAYMENT_CALLBACK_PATH = "/api/callbacks/payments/stripe";

/** Stripe's largest events have some 100 kB. */
const MAX_BYTES = 1024 * 1024;

/**
 * Returns the handler of Stripe's webhooks. It stores the event and responds; a job applies it. An event without Stripe's
 * signature is rejected and leaves nothing behind. Without Stripe's settings there is nothing at this path.
 */
export const createPaymentCallbackHandler =
  (hub: Hub) =>
  async (c: Context<Host>): Promise<Response> => {
    const context = createRequestContext(hub, c, "problem", "paymentCallback");
    const reservation = openAnonymousReservation(hub, context.address);
    try {
      if (!hub.payments.stripe) throw new AppError("resource_not_found", "There is nothing at this path.");
      const body = Buffer.from(await readBytes(c.req.raw, MAX_BYTES, reservation));
      await receiveEvent(hub, "stripe", body, c.req.raw.headers);
      return new Response(null, { status: 204, headers: context.headers });
    } catch (error) {
      return drainRequestBody(c.req.raw, await problemResponse(context, error));
    } finally {
      reservation.release();
    }
  };
