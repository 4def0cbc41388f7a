import { z } from "zod";
import { hashCanonicalJson } from "../lib/canonical";

/** The console creates one for each click: a request that is sent again with the same key runs and is charged once. */
export const idempotencyKey = z.string().min(16).max(64);

/** Returns the idempotency of a request. The prefix keeps its key apart from those that an account's programs send. */
export const toIdempotency = (idempotencyKey: string, body: object) => ({
  key: `console:${idempotencyKey}`,
  fingerprint: hashCanonicalJson(body),
});
