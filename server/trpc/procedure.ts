import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { type Action, byId, type Parsed } from "../actions/action";
import { measureValue } from "../catalogue/measure-value";
import type { Account, AccountView, HubRole, Permission } from "../context";
import type { Hub } from "../domain/hub";
import { signFileUrls } from "../domain/input-files";
import { checkPermission } from "../domain/people";
import { consumeRateLimit, type RateLimitBucket, rateLimitedError } from "../domain/rates";
import type { PendingSession, SessionCtx, SessionStage } from "../domain/sessions";
import { accountClosingError, AppError, invalidInput, isAppError } from "../errors";
import "../lib/issues";
import { INTERNAL_ERROR_MESSAGE, toAppError, toDisplayedError, withErrorCode } from "./error";
import { transformer } from "./transformer";

/** A person who is signed in to the console. */
export type Session = SessionCtx<Hub>;

/** Who may call a procedure: people with a permission in the account, or with a role of the hub. */
export type Access = Permission | HubRole;

export interface Caller {
  hub: Hub;
  /** Null without a session, and for a request with an API key. */
  session: Session | null;
  /** A session that still needs a second factor; `session` is null then. */
  pending?: PendingSession | null;
  /** Null if the host does not provide it. */
  address: string | null;
  /** Whether the request names one of the hub's own pages as its origin. */
  isFromOwnPage?: boolean;
}

interface Meta {
  access?: Access;
  /** The limit that calls count against, instead of the one for reads or writes. */
  cost?: RateLimitBucket;
  /** Whether it shows prompts, outputs or files, and is therefore rejected in a view that has no reason. */
  showsContent?: boolean;
  /** Whether a mutation may be called in a view. */
  isForViews?: boolean;
  /** Whether a mutation may be called while the account closes. */
  isWhileClosing?: boolean;
  /** Whether the person must have verified their identity within the last ten minutes. */
  needsProof?: boolean;
}

const t = initTRPC
  .context<Caller>()
  .meta<Meta>()
  .create({
    transformer,
    errorFormatter({ shape, error, ctx }) {
      const appError = toAppError(error);
      if (!appError || appError.code === "service_unavailable")
        ctx?.hub.log.error({ err: error.cause ?? error, path: shape.data.path }, "console request failed");
      const { path, httpStatus } = shape.data;
      return {
        ...shape,
        message: appError?.message ?? INTERNAL_ERROR_MESSAGE,
        data: { path, httpStatus, ...toDisplayedError(appError) },
      };
    },
  });

const MAX_DEPTH = 64;

const withErrorCodes = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw withErrorCode(result.error);
  return result;
});

/** Rejects input that cannot be stored. The route handler has already limited its bytes and values. */
const checkStorable = t.middleware(async ({ next, getRawInput }) => {
  const { depth, storable } = measureValue(await getRawInput(), Infinity, MAX_DEPTH);
  if (depth > MAX_DEPTH) throw invalidInput("body", `is nested deeper than ${MAX_DEPTH}`);
  if (!storable) throw invalidInput("body", "must not hold \\u0000 or half a surrogate pair");
  return next();
});

export const { router, createCallerFactory } = t;

/** A procedure without authentication, for signing up and resetting a password. */
export const publicProcedure = withErrorCodes.use(checkStorable);

/** Counts a call against an account's limit. Throws a 429. */
async function limitCalls(hub: Hub, accountId: number, type: string, meta?: Meta): Promise<void> {
  const { allowed, waitMs, name } = await consumeRateLimit(
    hub,
    accountId,
    meta?.cost ?? (type === "query" ? "read" : "write"),
  );
  if (!allowed) throw rateLimitedError(waitMs, `This account has used up its ${name} for now.`);
}

const signInError = () => new AppError("unauthorized", "Sign in to continue.");

/** Calls count against the account's limit for reads or writes, or the one in `meta`. */
const signedIn = withErrorCodes
  .use(async ({ ctx: { hub, session }, type, meta, next }) => {
    if (!session) throw signInError();
    await limitCalls(hub, session.actor.view?.ownAccountId ?? session.account.id, type, meta);
    return next({ ctx: session });
  })
  .use(({ ctx: { actor }, type, meta, next }) => {
    if (actor.view) checkView(actor.view, type, meta);
    return next();
  })
  // After the rate limit, so that a rejected call costs no work.
  .use(checkStorable)
  // The cookie of a view cannot open files, so their URLs are signed.
  .use(async ({ ctx: { hub, actor }, next }) => {
    const result = await next();
    return result.ok && actor.view ? { ...result, data: signFileUrls(hub, result.data, actor.view.until) } : result;
  });

/** How long a verified identity allows sensitive changes. */
const PROOF_MS = 10 * 60_000;

/** Throws a 403 that makes the console ask for verification, if a procedure needs a newer one. */
function checkProof(hub: Hub, provedAt: Date | null, meta?: Meta): void {
  if (!meta?.needsProof || (provedAt && hub.now().getTime() - provedAt.getTime() <= PROOF_MS)) return;
  throw new AppError("unauthorized", "Confirm that it’s you to do this.", { needsProof: true }, {}, 403);
}

/** Throws a 409 for a change of an account that closes; people still change their own settings. */
function checkClosing({ closesAt }: Account, type: string, meta?: Meta): void {
  if (closesAt && type === "mutation" && meta?.access !== "self" && !meta?.isWhileClosing) throw accountClosingError();
}

/** Throws a 403 unless a person who views an account may call this. */
function checkView({ showsContent }: AccountView, type: string, meta?: Meta): void {
  if (type === "mutation" && !meta?.isForViews)
    throw new AppError(
      "unauthorized",
      "You are only viewing this account. Stop viewing it to make changes.",
      {},
      {},
      403,
    );
  if (meta?.showsContent && !showsContent)
    throw new AppError(
      "unauthorized",
      "View the account with a reason to see prompts, outputs and files.",
      {},
      {},
      403,
    );
}

/** Returns a procedure for people whose role in the account allows this. */
export const procedure = (access: Permission) =>
  signedIn.meta({ access }).use(({ ctx, type, meta, next }) => {
    checkPermission(ctx.actor, access);
    checkClosing(ctx.account, type, meta);
    checkProof(ctx.hub, ctx.actor.provedAt, meta);
    return next();
  });

/** Returns the query of an action that has no input. */
export const queryOf = <Result>({ access, cost, run }: Action<undefined, Result>) =>
  procedure(access)
    .meta({ cost })
    .query(({ ctx }) => run(ctx, undefined));

/** Returns the mutation of an action that has no input. */
export const bareMutationOf = <Result>({ access, cost, run }: Action<undefined, Result>) =>
  procedure(access)
    .meta({ cost })
    .mutation(({ ctx }) => run(ctx, undefined));

/** Returns the mutation of an action. */
export const mutationOf = <Schema extends z.ZodType, Result>({ access, cost, input, run }: Action<Schema, Result>) =>
  procedure(access)
    .meta({ cost })
    .input(input)
    .mutation(({ ctx, input }) => run(ctx, input as Parsed<Schema>));

/** A procedure of second factors, which sessions that still need one may call. */
export const factorProcedure = withErrorCodes
  .meta({ access: "self" })
  .use(async ({ ctx: { hub, session, pending }, type, meta, next }) => {
    if (pending) await limitCalls(hub, pending.accountId, type, meta);
    if (pending) return next({ ctx: { hub, ...pending } });
    if (!session) throw signInError();
    const { account, actor } = session;
    await limitCalls(hub, actor.view?.ownAccountId ?? account.id, type, meta);
    if (actor.view) checkView(actor.view, type, meta);
    const { sessionId, person, provedAt } = actor;
    const stage: SessionStage = "complete";
    return next({ ctx: { hub, stage, sessionId, accountId: account.id, person, provedAt } });
  })
  .use(({ ctx, meta, next }) => {
    checkProof(ctx.hub, ctx.provedAt, meta);
    return next();
  })
  .use(checkStorable);

/** A procedure that shows prompts, outputs or files of the account. */
export const contentProcedure = procedure("read").meta({ showsContent: true });

/** Returns a procedure for people with a role of the hub. `ctx.operator` says who they are in the audit log. */
const hubProcedure = (access: HubRole) =>
  signedIn.meta({ access }).use(({ ctx, meta, next }) => {
    const { id: personId, email: name, hubRole } = ctx.actor.person;
    // To others it looks as if it did not exist.
    if (!hubRole) throw new AppError("resource_not_found", "There is nothing at this path.");
    if (access === "operator" && hubRole !== "operator")
      throw new AppError("unauthorized", "Auditors can’t change anything. Ask an operator.", {}, {}, 403);
    checkProof(ctx.hub, ctx.actor.provedAt, meta);
    const { address, requestId } = ctx;
    return next({ ctx: { operator: { personId, name, address, requestId } } });
  });

/** A procedure of the operator's console that reads. */
export const auditorProcedure = hubProcedure("auditor");
/**
 * A procedure of the operator's console that changes or sends something. It needs a recent verification, because a session
 * that was left open would otherwise give access to every account and every provider's key.
 */
export const operatorProcedure = hubProcedure("operator").meta({ needsProof: true });

/** Returns a procedure for the role that an action needs. */
export const procedureOf = ({ access }: { access: HubRole }) =>
  access === "operator" ? operatorProcedure : auditorProcedure;

export { byId };
const MAX_INTEGER = 2 ** 31 - 1;
/** The id of an account, a person or a revision: an `integer` of Postgres. */
export const rowNumber = z.int().positive().max(MAX_INTEGER);
/** How many days a chart shows. */
export const chartDays = z.union([z.literal(7), z.literal(30), z.literal(90)]);
export const cursor = z.string().min(1).max(512).optional();

export { Reason as reason } from "../actions/accounts";

/**
 * Returns the page of a cursor, and the first page if the cursor is not valid: it comes from the URL of a page, which
 * people edit and send to others.
 */
export async function pageOrFirst<Page>(
  cursor: string | undefined,
  list: (cursor: string | undefined) => Promise<Page>,
): Promise<Page> {
  try {
    return await list(cursor);
  } catch (error) {
    if (cursor !== undefined && isAppError(error) && error.extras.errors?.cursor) return list(undefined);
    throw error;
  }
}
