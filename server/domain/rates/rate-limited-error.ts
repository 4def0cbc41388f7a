import { AppError } from "../../errors";

/** 429 with the whole seconds, at least one, after which the same call finds room. */
export const rateLimitedError = (waitMs: number, detail: string): AppError =>
  new AppError("rate_limited", detail, {}, { "Retry-After": String(toWholeSeconds(waitMs)) });

export const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
