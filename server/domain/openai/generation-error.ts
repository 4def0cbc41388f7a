import { AppError } from "../../errors";
import type { Generation } from "../generations/row";

/** What the customer's own input causes; anything else is the provider's or the hub's failure. */
const clientErrors = new Set(["content_refused", "input_unavailable", "supply_timeout"]);

/** Headers by which a client finds the generation, and by which OpenAI's SDKs do not buy it again. */
const headersOf = (id: string): Record<string, string> => ({
  Location: `/api/v1/hub/generations/${id}`,
  "x-should-retry": "false",
});

/** Returns the error for a generation that ended without success. */
export function generationError({ id, status, error }: Generation): AppError {
  const message = error?.message ?? `The generation is ${status}.`;
  const isClientError = status === "canceled" || (error !== null && clientErrors.has(error.code));
  return new AppError("provider_error", message, { generation_id: id }, headersOf(id), isClientError ? 400 : 502);
}

/** Returns the 504 for a generation that takes longer than a request may wait. */
export const stillRunning = ({ id }: Generation, seconds: number): AppError =>
  new AppError(
    "generation_in_progress",
    `The generation has not finished within ${seconds} seconds and goes on. Read it at /api/v1/hub/generations/${id}.`,
    { generation_id: id },
    headersOf(id),
    504,
  );
