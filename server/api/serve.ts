import type { Context } from "hono";
import type { Hub } from "../context";
import { type RequestContext, type Host, createRequestContext } from "./request-context";
import { authenticate } from "./middleware/authenticate";
import type { Reservation } from "../lib/byte-budget";
import { readBody } from "./middleware/body";
import { readClientRequest } from "./middleware/client-request";
import { readIdempotency } from "./middleware/idempotency";
import { drainRequestBody } from "./middleware/drain-request-body";
import { problemResponse } from "./middleware/problem";
import { readQuery } from "./middleware/query";
import { limitRate } from "./middleware/rate-limit";
import type { HandlerResult, Auth, Callers, HandlerArgs, Operation } from "./operation";

const MAX_CREDENTIAL_AGE_MS = 1_000;

/**
 * Serves one operation: the checks in the order of the contract (401, 429, 413, 400), then its handler.
 * One function and not a chain of Hono's, which would cost a third of the requests a second.
 */
export const createOperationHandler =
  (hub: Hub, operation: Operation) =>
  async (c: Context<Host>): Promise<Response> => {
    const call = createRequestContext(hub, c, operation.envelope);
    try {
      const caller = await authenticate(call, c.req.raw, operation.auth);
      const account = accountOf(caller);
      if (account && operation.cost) limitRate(call, account.account.id, operation.cost);
      // Kept until the answer is known, as what was read is.
      const reservation = hub.bodyBudget.open(account?.account.id ?? "workers");
      try {
        return respond(call, await operation.handler(await readRequest(call, c, operation, { caller, reservation })));
      } finally {
        reservation.release();
      }
    } catch (error) {
      return drainRequestBody(c.req.raw, problemResponse(call, error));
    }
  };

interface Received {
  caller: Callers[Auth];
  reservation: Reservation;
}

async function readRequest(
  call: RequestContext,
  c: Context<Host>,
  operation: Operation,
  { caller, reservation }: Received,
): Promise<HandlerArgs<Auth, unknown, unknown>> {
  const { hub } = call;
  const request = c.req.raw;
  const sent = operation.body && (await readBody(hub, request, reservation, operation));
  const ctx = await confirm(call, request, operation.auth, caller);
  const account = accountOf(ctx);
  if (account && sent) account.isLarge = sent.isLarge;
  const query = operation.query && readQuery(request.url, operation.query);
  const idempotency = operation.idempotent ? await readIdempotency(request.headers, account, sent?.raw) : null;
  const client = sent?.digest ? readClientRequest(c, sent.digest) : null;
  const params = operation.params ? c.req.param() : {};
  return { hub, ctx, params, query, body: sent?.body, idempotency, client, request };
}

const accountOf = (caller: Callers[Auth]) => (caller && "account" in caller ? caller : null);

/** Returns who calls, looked up again if the body took so long that the credential may have been revoked meanwhile. */
function confirm<C>(call: RequestContext, request: Request, auth: Auth, caller: C): C | Promise<C> {
  const isStale = call.hub.now().getTime() - call.startedAt > MAX_CREDENTIAL_AGE_MS;
  return isStale ? (authenticate(call, request, auth) as Promise<C>) : caller;
}

function respond({ headers }: RequestContext, answer: HandlerResult): Response {
  if (answer.headers) Object.assign(headers, answer.headers);
  const status = answer.status ?? 200;
  if ("content" in answer) return new Response(answer.content, { status, headers });
  headers["Content-Type"] = "application/json";
  return new Response("text" in answer ? answer.text : JSON.stringify(answer.json), { status, headers });
}
