import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { toServiceUnavailable } from "../domain/health/to-service-unavailable";
import { AppError, errorTable, isAppError, type ErrorCode } from "../errors";
import { rejectIssues } from "../lib/reject-issues";

type TrpcCode = TRPCError["code"];

const byStatus: Record<number, TrpcCode> = {
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
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

/** What the console is told of an error: the code of the one table, and the place of each fault in what was sent. */
export interface DisplayedError {
  code: ErrorCode;
  errors: Record<string, string[]>;
}

/** The same error with the code of its refusal, when it is one of the domain's, or 503 when the database is away. */
export function withErrorCode(error: TRPCError): TRPCError {
  const cause = isAppError(error.cause) ? error.cause : toServiceUnavailable(error.cause);
  if (!cause) return error;
  return new TRPCError({ code: byStatus[cause.status] ?? "BAD_REQUEST", message: cause.message, cause });
}

/** The refusal inside an error of tRPC; null for a fault of ours, of which nothing is told. */
export function toAppError({ code, cause }: TRPCError): AppError | null {
  if (isAppError(cause)) return cause;
  if (code === "INTERNAL_SERVER_ERROR") return null;
  if (!(cause instanceof ZodError)) return new AppError(code === "NOT_FOUND" ? "resource_not_found" : "invalid_input");
  return rejectIssues(cause.issues);
}

/** Returns the headers that the errors of one answer ask for, such as `Retry-After`. */
export const getErrorHeaders = (errors: TRPCError[]): Headers =>
  new Headers(errors.flatMap((error) => Object.entries(toAppError(error)?.headers ?? {})));

export const INTERNAL_ERROR_MESSAGE = errorTable.internal_error.title;
