import { contextOf, type HubRole, type Permission } from "../../context";
import { findKeyByHash, type FoundKey, hashKey, isRecentKey, type KeyRejection } from "../../domain/credentials";
import { readLabelHeaders } from "../../domain/labels";
import { authenticateOperator } from "../../domain/operator-tokens";
import { checkPermission } from "../../domain/people";
import { resolveSession } from "../../domain/sessions";
import { authenticateWorker } from "../../domain/workers";
import { accountClosingError, AppError } from "../../errors";
import { isOwnOrigin, readSession } from "../../lib/session-token";
import type { Auth, Callers, Envelope, Operation } from "../operation";
import type { RequestContext } from "../request-context";

const BEARER = /^bearer +(\S+)$/i;
const SIGNED = /[?&]signature=/;

/** Returns the secret of an `Authorization` header; undefined for one of another scheme. */
export const readBearer = (header: string): string | undefined => BEARER.exec(header)?.[1];

/** What an operation demands of its caller. */
export type Demand = Pick<Operation, "auth" | "access" | "role">;

/**
 * Returns the caller, and sets `accountId` and `limited` of the context, also for one that it rejects with 403 or 409. Throws
 * 401, and 403 for a key that is valid for `/mcp` only and for a person whose role does not allow the operation. Every request
 * looks up its credential, so a revocation applies to the next request.
 */
export async function authenticate(
  context: RequestContext,
  request: Request,
  { auth, access, role }: Demand,
): Promise<Callers[Auth]> {
  if (auth === "none") return null;
  const header = readKeyHeader(context.envelope, request.headers);
  if (auth === "session" && header !== null)
    throw unauthorized("Sign in to the console for this: API keys cannot do it.");
  if (isTokenAuth(auth)) return authenticateToken(context, header, { auth, role });
  if (header !== null) return authenticateKey(context, request.headers, header, auth);
  if (auth === "read-file" && SIGNED.test(request.url)) return null;
  // An <img> of the console reads a file without extra headers. Requests that change something must come from its scripts.
  const needsScript = auth !== "read-file";
  const session =
    auth === "key" || auth === "mcp" ? null : await authenticateSession(context, request.headers, needsScript);
  if (!session) throw unauthorized(instructions[auth]);
  context.accountId = session.account.id;
  // An operation that declares no permission is for owners only.
  checkRole(context, session, access ?? "manage");
  checkClosing(session, request.method);
  return session;
}

/** Returns whether a token of the operator is needed, which belongs to no account. */
const isTokenAuth = (auth: Auth): auth is "worker" | "operator" => auth === "worker" || auth === "operator";

/** Throws a 403 unless the role of a person allows this; a view of an account allows nothing here, and uses up no limit. */
function checkRole(context: RequestContext, session: Callers["session"], access: Permission): void {
  const { actor } = session;
  if (actor.view) throw new AppError("unauthorized", "You are only viewing this account in the console.", {}, {}, 403);
  context.limited = session;
  checkPermission(actor, access);
}

/** Throws a 409 if a person's request may change an account that is closing. */
function checkClosing({ account }: Callers["session"], method: string): void {
  if (account.closesAt && method !== "GET" && method !== "HEAD") throw accountClosingError();
}

const instructions: Record<Exclude<Auth, "none" | "operator" | "worker">, string> = {
  key: "Send Authorization: Bearer <API key>.",
  mcp: "Send Authorization: Bearer <API key>, or connect by OAuth.",
  session: "Sign in to the console, and send X-Requested-With: XMLHttpRequest from its own pages.",
  "key-or-session":
    "Send Authorization: Bearer <API key>, or the console session with X-Requested-With: XMLHttpRequest.",
  "read-file": "Send Authorization: Bearer <API key>, sign in to the console, or use a signed link.",
};

const authenticateToken = (
  context: RequestContext,
  header: string | null,
  { auth, role }: { auth: "worker" | "operator"; role?: HubRole },
): Promise<Callers["worker" | "operator"]> =>
  auth === "worker" ? authenticateWorkerToken(context, header) : authenticateProgram(context, header, role);

async function authenticateWorkerToken({ hub }: RequestContext, header: string | null): Promise<Callers["worker"]> {
  const secret = header && readBearer(header);
  if (!secret) throw unauthorized("Send Authorization: Bearer <worker token>.");
  const worker = await authenticateWorker(hub, secret);
  if (!worker)
    throw unauthorized("This worker token is not valid: mistyped or revoked. API keys are not accepted here.");
  return { worker };
}

/** Returns the program of an operator's token. Throws a 403 for an auditor's token where more than reading is needed. */
async function authenticateProgram(
  context: RequestContext,
  header: string | null,
  role: HubRole = "operator",
): Promise<Callers["operator"]> {
  const { hub, address, requestId } = context;
  const secret = header && readBearer(header);
  if (!secret) throw unauthorized("Send Authorization: Bearer <operator token>.");
  const token = await authenticateOperator(hub, secret);
  if (!token)
    throw unauthorized(
      "This operator token is not valid: mistyped, expired or revoked. API keys are not accepted here.",
    );
  context.limited = token;
  if (role === "operator" && token.role !== "operator")
    throw new AppError("unauthorized", "An auditor's token can only read.", {}, {}, 403);
  return { token, operator: { personId: null, tokenId: token.id, name: token.name, address, requestId } };
}

const rejections: Record<Exclude<KeyRejection, "address">, string> = {
  revoked: "This API key is revoked.",
  expired: "This API key has expired.",
  paused: "This API key is paused. Resume it in the console.",
  replaced: "This secret was replaced when its API key was rotated.",
};

/** Returns the caller with the labels of the request's headers, which are used only for requests with a key. */
async function authenticateKey(
  context: RequestContext,
  headers: Headers,
  header: string,
  auth: Auth,
): Promise<Callers["key"]> {
  const secret = readBearer(header);
  if (secret === undefined) throw unauthorized("The Authorization header must be: Bearer <API key>.");
  // A burst of made-up keys yields to other requests.
  const hash = context.keyHash === undefined ? hashKey(secret) : context.keyHash;
  if (!isRecentKey(context.hub, hash)) await context.hub.services.shareTurnOfStrangers();
  const found = await findKeyByHash(context.hub, hash, context.address);
  if (!found || found.rejection === "address") {
    if (found) await hideKey(context, found, hash);
    throw unauthorized("This API key is not valid: mistyped, or its account is suspended or closing.");
  }
  const { account, actor, rejection } = found;
  context.caller = { accountId: account.id, keyId: actor.id };
  if (rejection) throw unauthorized(rejections[rejection]);
  context.accountId = account.id;
  context.limited = { account, actor };
  if (actor.scope === "mcp" && auth !== "mcp")
    throw new AppError("unauthorized", "This key belongs to a connected app and works only at /mcp.", {}, {}, 403);
  return Object.assign(contextOf(context.hub, account, actor, context.requestId), {
    rates: context.rates,
    labels: readLabelHeaders(headers),
  });
}

/**
 * Records for its owner only that a key was sent from an address that it does not allow. The caller must not learn that the
 * key exists, so the request counts as one with an unknown key, and takes its turn like one.
 */
async function hideKey(context: RequestContext, { account, actor }: FoundKey, hash: string | null): Promise<void> {
  const { hub, address, requestId, method, path } = context;
  const message =
    `This API key may not be used from ${address ?? "an unknown address"}, which is not in its allowed_ips. ` +
    "The caller got the error of an unknown key.";
  hub.services.rejectionLog.record({
    accountId: account.id,
    keyId: actor.id,
    requestId,
    method,
    path,
    status: 401,
    code: "unauthorized",
    message,
  });
  if (isRecentKey(hub, hash)) await hub.services.shareTurnOfStrangers();
}

/** The claims of requests: a stream is authenticated again for as long as it is open, and its cookie is decrypted once. */
const knownClaims = new WeakMap<Headers, ReturnType<typeof readSession>>();

async function authenticateSession(
  { hub, requestId }: RequestContext,
  headers: Headers,
  needsScript: boolean,
): Promise<Callers["session"] | null> {
  if (needsScript && headers.get("x-requested-with") !== "XMLHttpRequest") return null;
  if (!isOwnOrigin(hub.env.BASE_URL, headers)) return null;
  const reading = knownClaims.get(headers) ?? readSession(hub, headers);
  knownClaims.set(headers, reading);
  const claims = await reading;
  const session = claims && (await resolveSession(hub, claims));
  return session && contextOf(hub, session.account, session.actor, requestId);
}

const unauthorized = (detail: string) => new AppError("unauthorized", detail);

/** Headers in which programs for Azure and Anthropic send a key. */
const KEY_HEADERS = ["x-api-key", "api-key"];

/**
 * Returns the Authorization header of a request, null without one; under `/v1` a key in another header counts as one. Throws
 * 401 for keys that differ, because it is unclear who is calling.
 */
function readKeyHeader(envelope: Envelope, headers: Headers): string | null {
  const authorization = headers.get("authorization");
  if (envelope === "problem" || envelope === "chat") return authorization;
  const keys = KEY_HEADERS.flatMap((name) => headers.get(name)?.trim() || []);
  const sent = new Set([...(authorization === null ? [] : [authorization.replace(/^bearer +/i, "")]), ...keys]);
  if (sent.size > 1)
    throw new AppError("unauthorized", "Send one API key: Authorization, x-api-key and api-key have different ones.");
  return authorization ?? (keys[0] === undefined ? null : `Bearer ${keys[0]}`);
}
