import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Hub } from "../domain/hub";
import { invalidInput, isAppError } from "../errors";
import { createRequestContext, type Host, type RequestContext, runInRequestSpan } from "./request-context";
import { admitRequest, limitRate } from "./middleware/rate-limit";
import { authenticate, type Demand } from "./middleware/authenticate";
import { isObject } from "../lib/is-object";
import type { Reservation } from "../lib/byte-budget";
import { readBody, parseOrThrow } from "./middleware/body";
import { openAnonymousReservation } from "./middleware/bytes";
import { readClientRequest, readIdempotency } from "./middleware/retries";
import { drainRequestBody } from "./middleware/drain-request-body";
import { problemResponse } from "./middleware/problem";
import { etagOf, matchesEtag } from "./etag";
import type { Auth, Callers, HandlerArgs, HandlerResult, ImmediateResult, Operation } from "./operation";

const MAX_CREDENTIAL_AGE_MS = 1_000;
const MAX_PARAMETERS = 100;

/**
 * Returns the request handler of an operation: it checks in the order of the contract (401, 429, 413, 400), after 503 while
 * the hub is busy, then calls the operation. A single function, because a chain of Hono middleware serves a third fewer
 * requests per second.
 */
export const createOperationHandler =
  (hub: Hub, operation: Operation) =>
  (c: Context<Host>): Promise<Response> => {
    const context = createRequestContext(hub, c, operation.envelope, operation.name);
    return runInRequestSpan(context, c.req.raw, () => handleOperation(context, c, operation));
  };

async function handleOperation(context: RequestContext, c: Context<Host>, operation: Operation): Promise<Response> {
  let release: (() => void) | undefined;
  try {
    release = admitRequest(context, c.req.raw, operation);
    let caller: Callers[Auth];
    try {
      caller = await authenticate(context, c.req.raw, operation);
    } finally {
      // Also counts what a valid credential does not allow.
      if (context.limited && operation.cost) await limitRate(context, context.limited, operation.cost);
    }
    // Released after the handler returns, because the handler still holds the body.
    const reservation = openReservation(context, caller);
    let result: HandlerResult;
    try {
      result = await operation.handler(await readRequest(context, c, operation, { caller, reservation }));
    } finally {
      reservation.release();
    }
    if ("wait" in result) {
      release();
      release = undefined;
      result = await result.wait();
    }
    return createResponse(context, result, operation.isConditional ? c.req.raw : null);
  } catch (error) {
    return drainRequestBody(c.req.raw, await problemResponse(context, error));
  } finally {
    release?.();
  }
}

interface AuthenticatedRequest {
  caller: Callers[Auth];
  reservation: Reservation;
}

async function readRequest(
  context: RequestContext,
  c: Context<Host>,
  operation: Operation,
  { caller, reservation }: AuthenticatedRequest,
): Promise<HandlerArgs<Auth, unknown, unknown>> {
  const { hub } = context;
  const request = c.req.raw;
  const received = operation.body && (await readBody(hub, request, reservation, operation));
  const ctx = await reauthenticateIfStale(context, request, operation, caller);
  const account = accountOf(ctx);
  if (account && received) Object.assign(account, { isLarge: received.isLarge, sent: received.sent });
  const query = operation.query && readQuery(request.url, operation.query);
  const repeated = withoutMember(received?.raw, operation.fingerprintOmits);
  const idempotency = operation.idempotent ? await readIdempotency(request.headers, account, repeated) : null;
  const client = received?.digest ? readClientRequest(c, received.digest, !operation.identifyRepeat) : null;
  const params = operation.params ? c.req.param() : {};
  const isAllowed = () => isStillAllowed(context, request, operation);
  return { hub, ctx, params, query, body: received?.body, idempotency, client, request, isAllowed };
}

/** Returns a body without one of its members, if one is named. */
const withoutMember = (body: unknown, member: string | undefined): unknown =>
  member !== undefined && isObject(body) && Object.hasOwn(body, member)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== member))
    : body;

/**
 * Parses the query; a parameter whose name ends in `[]` is a list. Throws 400 for any other that is repeated; ignores unknown
 * ones, because proxies and trackers add them.
 */
function readQuery<S extends z.ZodObject>(url: string, schema: S): z.output<S> {
  const start = url.indexOf("?");
  const parameters = new URLSearchParams(start === -1 ? "" : url.slice(start));
  if (parameters.size > MAX_PARAMETERS) throw invalidInput("query", `must have at most ${MAX_PARAMETERS} parameters`);
  const values: Record<string, unknown> = {};
  // Callers choose the keys of pairs, so one may be `__proto__`.
  const pairs = Object.create(null) as Record<string, unknown>;
  const hasPairs = Object.hasOwn(schema.shape, "metadata");
  for (const [name, value] of parameters) {
    const [, dotted, key = dotted] = PAIR.exec(name) ?? [];
    if (key !== undefined && hasPairs) setOnce(pairs, key, name, value);
    else if (!Object.hasOwn(schema.shape, name)) continue;
    else if (name.endsWith("[]")) values[name] = parameters.getAll(name);
    else setOnce(values, name, name, value);
  }
  return parseOrThrow(schema, Object.keys(pairs).length > 0 ? { ...values, metadata: pairs } : values);
}

function setOnce(values: Record<string, unknown>, key: string, name: string, value: string): void {
  if (Object.hasOwn(values, key)) throw invalidInput(name, "must be given once");
  values[key] = value;
}

/** A parameter that is a pair of metadata: `metadata.team` or `metadata[team]`. */
const PAIR = /^metadata(?:\.(.*)|\[(.*)\])$/;

/** Opens a reservation in the share of the account, the worker or, for unknown callers, the network. */
function openReservation({ hub, address }: RequestContext, caller: Callers[Auth]): Reservation {
  const account = accountOf(caller);
  if (account) return hub.bodyBudget.open(account.account.id);
  const token = tokenOf(caller);
  if (token) return hub.bodyBudget.open(`operator ${token.id}`);
  if (caller && "worker" in caller) return hub.bodyBudget.open(`worker ${caller.worker.tokenId}`);
  return openAnonymousReservation(hub, address);
}

const accountOf = (caller: Callers[Auth]) => (caller && "account" in caller ? caller : null);

const tokenOf = (caller: Callers[Auth]) => (caller && "token" in caller ? caller.token : null);

/** Returns the caller, authenticated again if the credential may have been revoked while the body arrived. */
export function reauthenticateIfStale<C>(
  context: RequestContext,
  request: Request,
  demand: Demand,
  caller: C,
): C | Promise<C> {
  const isStale = context.hub.now().getTime() - context.startedAt > MAX_CREDENTIAL_AGE_MS;
  return isStale ? (authenticate(context, request, demand) as Promise<C>) : caller;
}

/** Returns whether the credential of a request is still valid; true if the check fails for another reason. */
async function isStillAllowed(context: RequestContext, request: Request, demand: Demand): Promise<boolean> {
  try {
    await authenticate(context, request, demand);
    return true;
  } catch (error) {
    return !isAppError(error) || error.code !== "unauthorized";
  }
}

/** Returns the response for a result. A `conditional` request gets an ETag with it, or 304 if its own ETag matches. */
function createResponse({ headers }: RequestContext, result: ImmediateResult, conditional: Request | null): Response {
  if (result.headers) Object.assign(headers, result.headers);
  const status = result.status ?? 200;
  if ("content" in result) return new Response(result.content, { status, headers });
  const text = "text" in result ? result.text : JSON.stringify(result.json);
  if (conditional) {
    const etag = etagOf(text);
    // The caller's own cache may store it, and must revalidate it each time.
    Object.assign(headers, { ETag: etag, "Cache-Control": "private, no-cache" });
    if (matchesEtag(conditional.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
  }
  headers["Content-Type"] = "application/json";
  return new Response(text, { status, headers });
}
