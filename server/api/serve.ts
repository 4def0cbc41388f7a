import type { Context } from "hono";
import type { Ctx, Hub } from "../context";
import { type Call, type Host, openCall } from "./call";
import { authenticate } from "./middleware/authenticate";
import type { Reservation } from "../lib/byte-budget";
import { readBody } from "./middleware/body";
import { readIdempotency } from "./middleware/idempotency";
import { linger } from "./middleware/linger";
import { problem } from "./middleware/problem";
import { readQuery } from "./middleware/query";
import { limitRate } from "./middleware/rate-limit";
import type { Answer, Auth, Callers, Given, Operation } from "./operation";

/**
 * Serves one operation: the checks in the order of the contract (401, 429, 413, 400), then its handler.
 * One function and not a chain of Hono's, which would cost a third of the requests a second.
 */
export const serve =
  (hub: Hub, operation: Operation) =>
  async (c: Context<Host>): Promise<Response> => {
    const call = openCall(hub, c, operation.envelope);
    try {
      const ctx = await authenticate(call, c.req.raw, operation.auth);
      const account = ctx && "account" in ctx ? ctx : null;
      if (account && operation.cost) limitRate(call, account.account.id, operation.cost);
      // Kept until the answer is known, as what was read is.
      const reservation = hub.bodyBudget.open(account?.account.id ?? "workers");
      try {
        return respond(
          call,
          await operation.handler(await readRequest(call, c, operation, { ctx, account, reservation })),
        );
      } finally {
        reservation.release();
      }
    } catch (error) {
      return linger(c.req.raw, problem(call, error));
    }
  };

interface Caller {
  ctx: Callers[Auth];
  account: Ctx | null;
  reservation: Reservation;
}

async function readRequest(
  { hub }: Call,
  { req }: Context<Host>,
  operation: Operation,
  { ctx, account, reservation }: Caller,
): Promise<Given<Auth, unknown, unknown>> {
  const { raw: request } = req;
  const sent = operation.body && (await readBody(hub, request, reservation, operation));
  if (account && sent) account.isLarge = sent.isLarge;
  const query = operation.query && readQuery(request.url, operation.query);
  const idempotency = operation.idempotent ? await readIdempotency(request.headers, account, sent?.raw) : null;
  const params = operation.params ? req.param() : {};
  return { hub, ctx, params, query, body: sent?.body, idempotency, request };
}

function respond({ headers }: Call, answer: Answer): Response {
  if (answer.headers) Object.assign(headers, answer.headers);
  const status = answer.status ?? 200;
  if ("content" in answer) return new Response(answer.content, { status, headers });
  headers["Content-Type"] = "application/json";
  return new Response("text" in answer ? answer.text : JSON.stringify(answer.json), { status, headers });
}
