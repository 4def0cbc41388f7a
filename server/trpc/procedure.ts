import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import { measureValue } from "../catalogue/measure-value";
import type { Actor, Ctx, Hub } from "../context";
import { type RateLimitBucket, consumeRateLimit, rateLimitedError } from "../domain/rates/rate-limit";
import { AppError, invalidInput } from "../errors";
import "../lib/issues";
import { INTERNAL_ERROR_MESSAGE, toAppError, toDisplayedError, withErrorCode } from "./error";

/** A user who is signed in to the console. */
export type Session = Ctx & { actor: Extract<Actor, { kind: "user" }> };

export interface Caller {
  hub: Hub;
  /** Null without a session, and for a request with an API key. */
  session: Session | null;
  /** Null if the host does not provide it. */
  address: string | null;
  /** Whether the request names one of the hub's own pages as its origin. */
  isFromOwnPage?: boolean;
}

const t = initTRPC
  .context<Caller>()
  .meta<{ cost?: RateLimitBucket }>()
  .create({
    transformer: superjson,
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

/** A procedure for signed-in users. Calls count against the account's limit for reads or writes, or the one in `meta`. */
export const procedure = withErrorCodes
  .use(({ ctx: { hub, session }, type, meta, next }) => {
    if (!session) throw new AppError("unauthorized", "Sign in to go on.");
    const { allowed, waitMs, name } = consumeRateLimit(
      hub,
      session.account.id,
      meta?.cost ?? (type === "query" ? "read" : "write"),
    );
    if (!allowed) throw rateLimitedError(waitMs, `This account has used up its ${name} for now.`);
    return next({ ctx: session });
  })
  // After the rate limit, so that a rejected call costs no work.
  .use(checkStorable);

/** Input of many procedures. Any string is accepted: a malformed id is handled like an unknown one. */
export const byId = z.object({ id: z.string().max(200) });
/** Any JSON value. superjson also carries dates, bigints and NaN, which no model accepts. */
export const json = z.unknown().refine(isJson, "must be JSON");
/** How many days a chart shows. */
export const chartDays = z.union([z.literal(7), z.literal(30), z.literal(90)]);
export const cursor = z.string().min(1).max(512).optional();

/** Returns whether JSON can represent a value: no date, bigint, NaN or undefined inside. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return typeof value === "string" || typeof value === "boolean" || value === null;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
