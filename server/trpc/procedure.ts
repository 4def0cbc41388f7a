import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import { measureValue } from "../catalogue/measure-value";
import { type Actor, type Ctx, type Hub } from "../context";
import { type RateLimitBucket, consumeRateLimit } from "../domain/rates/consume-rate-limit";
import { rateLimitedError } from "../domain/rates/rate-limited-error";
import { AppError, invalidInput } from "../errors";
import { isJson } from "../lib/json/is-json";
import "../lib/issue-messages";
import { INTERNAL_ERROR_MESSAGE, toAppError, type DisplayedError, withErrorCode } from "./error";

/** Somebody who is signed in to the console. */
export type Session = Ctx & { actor: Extract<Actor, { kind: "user" }> };

export interface Caller {
  hub: Hub;
  /** Null for whoever has no session, and for whoever sends a key. */
  session: Session | null;
  /** Null when the host does not tell. */
  address: string | null;
}

const t = initTRPC
  .context<Caller>()
  .meta<{ cost?: RateLimitBucket }>()
  .create({
    transformer: superjson,
    errorFormatter({ shape, error, ctx }) {
      const refusal = toAppError(error);
      if (!refusal || refusal.code === "service_unavailable")
        ctx?.hub.log.error({ err: error.cause ?? error, path: shape.data.path }, "a call of the console failed");
      const told: DisplayedError = { code: refusal?.code ?? "internal_error", errors: refusal?.extras.errors ?? {} };
      const { path, httpStatus } = shape.data;
      return { ...shape, message: refusal?.message ?? INTERNAL_ERROR_MESSAGE, data: { path, httpStatus, ...told } };
    },
  });

const MAX_DEPTH = 64;

const coded = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw withErrorCode(result.error);
  return result;
});

/** Rejects input that cannot be kept. The door has bounded its bytes and values. */
const checkStorable = t.middleware(async ({ next, getRawInput }) => {
  const { depth, storable } = measureValue(await getRawInput(), Infinity, MAX_DEPTH);
  if (depth > MAX_DEPTH) throw invalidInput("body", `is nested deeper than ${MAX_DEPTH}`);
  if (!storable) throw invalidInput("body", "must not hold \\u0000 or half a surrogate pair");
  return next();
});

export const { router, createCallerFactory } = t;

/** A procedure for whoever opens the page: signing up, and mending a password. */
export const publicProcedure = coded.use(checkStorable);

/** A procedure for whoever is signed in. Its calls come out of the account's buckets: reads, writes, or what `meta` says. */
export const procedure = coded
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
  // Who is limited makes no work of what was sent.
  .use(checkStorable);

/** What many procedures are asked with. An id is only text here: a malformed one is an unknown one. */
export const byId = z.object({ id: z.string().max(200) });
/** What may be any JSON: of what the transport can carry beside it (dates, bigints, NaN) a model takes nothing. */
export const json = z.unknown().refine(isJson, "must be JSON");
export const cursor = z.string().min(1).max(512).optional();
