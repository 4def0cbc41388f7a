import type { Context } from "hono";
import { checkCallbackToken, receiveCallback, repeatReport } from "../domain/generations/run";
import type { Hub } from "../domain/hub";
import { receiveEvent } from "../domain/reconciliation";
import { AppError } from "../errors";
import type { Reservation } from "../lib/byte-budget";
import { openAnonymousReservation, readBytes } from "./middleware/bytes";
import { drainRequestBody } from "./middleware/drain-request-body";
import { problemResponse } from "./middleware/problem";
import { createRequestContext, type Host, type RequestContext } from "./request-context";

/** How a callback reads its body, which is counted in its reservation. */
type ReadBody = () => Promise<Buffer>;

interface Callback {
  path: string;
  operation: string;
  maxBytes: number;
  /** The status of the response once the report is stored. */
  status: 200 | 204;
  openReservation: (context: RequestContext, c: Context<Host>) => Reservation;
  receive: (hub: Hub, c: Context<Host>, readBody: ReadBody) => Promise<void>;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const attemptIdOf = (c: Context<Host>): string => c.req.param("attempt")?.toLowerCase() ?? "";

/** Receives the report of a provider. It accepts repeated reports too, because providers resend what is not accepted. */
const providerCallback: Callback = {
  path: "/api/callbacks/providers/:attempt",
  operation: "providerCallback",
  // Providers send the whole result.
  maxBytes: 8 * 1024 * 1024,
  status: 204,
  openReservation: ({ hub }, c) => hub.bodyBudget.open(`attempt ${attemptIdOf(c)}`),
  async receive(hub, c, readBody) {
    const attemptId = attemptIdOf(c);
    if (!UUID.test(attemptId)) throw new AppError("resource_not_found", "There is nothing at this path.");
    // Checked before the body is read: a caller without the attempt's token gets no memory.
    const target = { attemptId, token: c.req.query("token") ?? "" };
    checkCallbackToken(hub, target);
    await receiveCallback(hub, target, { headers: c.req.raw.headers, body: await readBody() });
    void repeatReport(hub, attemptId);
  },
};

/** Stores an event of Stripe, which a job applies. */
const paymentCallback: Callback = {
  path: "/api/callbacks/payments/stripe",
  operation: "paymentCallback",
  // Stripe's largest events have about 100 kB.
  maxBytes: 1024 * 1024,
  status: 200,
  openReservation: ({ hub, address }) => openAnonymousReservation(hub, address),
  async receive(hub, c, readBody) {
    await receiveEvent(hub, "stripe", await readBody(), c.req.raw.headers);
  },
};

/** Returns the callbacks of a hub. Without Stripe's settings there is nothing at the path of its events. */
export const listCallbacks = ({ payments }: Hub): Callback[] =>
  payments.stripe ? [providerCallback, paymentCallback] : [providerCallback];

/** Returns the handler of a callback. */
export const createCallbackHandler =
  (hub: Hub, { operation, maxBytes, status, openReservation, receive }: Callback) =>
  async (c: Context<Host>): Promise<Response> => {
    const context = createRequestContext(hub, c, "problem", operation);
    const reservation = openReservation(context, c);
    try {
      await receive(hub, c, async () => Buffer.from(await readBytes(c.req.raw, maxBytes, reservation)));
      return new Response(null, { status, headers: context.headers });
    } catch (error) {
      return drainRequestBody(c.req.raw, await problemResponse(context, error));
    } finally {
      reservation.release();
    }
  };
