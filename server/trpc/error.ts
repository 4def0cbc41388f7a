import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { toServiceUnavailable } from "../domain/health";
import { AppError, errorTable, isAppError, type ErrorCode } from "../errors";
import { rejectIssues } from "../lib/issues";

type TrpcCode = TRPCError["code"];

const byStatus: Record<number, TrpcCode> = {
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

/** What the console receives about an error: its code from the error table, and messages by location in the input. */
export interface DisplayedError {
  code: ErrorCode;
  errors: Record<string, string[]>;
  /** The maximum cost of a request and the account's credit, in EUR; only if credit is short. */
  funds?: { required: number; available: number };
  /** The budget that does not cover the request. */
  budget?: AppError["extras"]["budget"];
  /** Set when the person has to verify their identity first. */
  needsProof?: true;
}

/** Returns an error as the console shows it; an internal one without details. */
export function toDisplayedError(error: AppError | null): DisplayedError {
  if (!error) return { code: "internal_error", errors: {} };
  const { errors = {}, required, available, budget, needsProof } = error.extras;
  const hasFunds = required !== undefined && available !== undefined && !budget;
  return {
    code: error.code,
    errors,
    ...(hasFunds && { funds: { required, available } }),
    ...(budget && { budget }),
    ...(needsProof && { needsProof }),
  };
}

/** Returns the error with the status of its AppError, or 503 if the database is unavailable; other errors unchanged. */
export function withErrorCode(error: TRPCError): TRPCError {
  const cause = isAppError(error.cause) ? error.cause : toServiceUnavailable(error.cause);
  if (!cause) return error;
  return new TRPCError({ code: byStatus[cause.status] ?? "BAD_REQUEST", message: cause.message, cause });
}

/** Returns the AppError behind a tRPC error, or null for an internal error, whose details are not exposed. */
export function toAppError({ code, cause }: TRPCError): AppError | null {
  if (isAppError(cause)) return cause;
  if (code === "INTERNAL_SERVER_ERROR") return null;
  if (!(cause instanceof ZodError)) return new AppError(code === "NOT_FOUND" ? "resource_not_found" : "invalid_input");
  return rejectIssues(cause.issues);
}

/** Returns the headers that the errors of one response require, such as `Retry-After`. */
export const getErrorHeaders = (errors: TRPCError[]): Headers =>
  new Headers(errors.flatMap((error) => Object.entries(toAppError(error)?.headers ?? {})));

export const INTERNAL_ERROR_MESSAGE = errorTable.internal_error.title;
