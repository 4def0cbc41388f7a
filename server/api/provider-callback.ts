import type { Context } from "hono";
import { checkCallbackToken, receiveCallback, repeatReport } from "../domain/generations/run";
import type { Hub } from "../domain/hub";
import { AppError } from "../errors";
import { readBytes } from "./middleware/bytes";
import { drainRequestBody } from "./middleware/drain-request-body";
import { problemResponse } from "./middleware/problem";
import { createRequestContext, type Host } from "./request-context";

export const PROVIDER_CALLBACK_PATH = "/api/callbacks/providers/:attempt";

/** Providers send the whole result. */
const MAX_BYTES = 8 * 1024 * 1024;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the handler of providers' callbacks. It responds 204 to every report with the token of its attempt, also to a
 * repeated one, because makers send again what is not accepted.
 */
export const createCallbackHandler =
  (hub: Hub) =>
  async (c: Context<Host>): Promise<Response> => {
    const context = createRequestContext(hub, c, "problem", "providerCallback");
    const attemptId = c.req.param("attempt")?.toLowerCase() ?? "";
    const reservation = hub.bodyBudget.open(`attempt ${attemptId}`);
    try {
      if (!UUID.test(attemptId)) throw new AppError("resource_not_found", "There is nothing at this path.");
      // Before the body: whoever has not the token of an attempt keeps no memory.
      const target = { attemptId, token: c.req.query("token") ?? "" };
      checkCallbackToken(hub, target);
      const { headers } = c.req.raw;
      const body = Buffer.from(await readBytes(c.req.raw, MAX_BYTES, reservation));
      await receiveCallback(hub, target, { headers, body });
      void repeatReport(hub, attemptId);
      return new Response(null, { status: 204, headers: context.headers });
    } catch (error) {
      return drainRequestBody(c.req.raw, await problemResponse(context, error));
    } finally {
      reservation.release();
    }
  };
