import { z } from "@hono/zod-openapi";
import type { OperatorAction } from "../../actions/operator-action";
import { AppError, invalidInput, isAppError } from "../../errors";

export const etagHeader = { ETag: "The revision, for `If-Match`" };

/** Returns the schema of a request that replaces a revision of `what`. */
export const ifMatchHeader = (what: string) =>
  z.object({
    "If-Match": z.string().openapi({ description: `\`ETag\` of the ${what} that you changed`, example: '"0"' }),
  });

/** Returns the ETag of a revision; `"0"` if there is none. */
export const etagOf = (revision: number | null): string => `"${revision ?? 0}"`;

/** Returns the revision that a request is based on; null for the ETag `"0"`. Throws a 400 without `If-Match`. */
export function readBase({ headers }: Request, path: string): number | null {
  const [, digits] = /^"(\d{1,9})"$/.exec(headers.get("if-match")?.trim() ?? "") ?? [];
  if (digits === undefined) throw invalidInput("If-Match", `must be the ETag of GET ${path}`);
  return Number(digits) || null;
}

/** Returns an action that throws a 412 instead of its 409 if another revision was applied since. */
export const rejectMismatch = <Input, Result, Body extends z.ZodObject | undefined>(
  action: OperatorAction<Input, Result, Body>,
): OperatorAction<Input, Result, Body> => ({
  ...action,
  run: (...args) => action.run(...args).catch(toMismatch),
});

function toMismatch(error: unknown): never {
  if (isAppError(error) && error.code === "invalid_state")
    throw new AppError(error.code, error.message, error.extras, {}, 412);
  throw error;
}
