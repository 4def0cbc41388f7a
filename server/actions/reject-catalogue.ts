import { isCatalogueError } from "../catalogue/catalogue-error";
import type { Hub } from "../domain/hub";
import { AppError, invalidInput } from "../errors";
import { OperatorError } from "../lib/operator-error";

const MAX_SHOWN_ISSUES = 5;

/**
 * Calls `work`. Throws a 400 at a place of the request with the first issues of an invalid catalogue, such as an old one after
 * an upgrade, or with the sentence of an OperatorError.
 */
export async function rejectInvalid<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw invalidInput(place, error.message);
    if (!isCatalogueError(error)) throw error;
    throw invalidInput(place, error.message.split("\n").slice(0, MAX_SHOWN_ISSUES).join("; "));
  }
}

/** Throws a 409 if the hub reads its catalogue from a file. */
export function rejectFile({ env }: Hub): void {
  if (!env.HUB_CATALOGUE) return;
  throw new AppError(
    "invalid_state",
    `HUB_CATALOGUE names ${env.HUB_CATALOGUE}, which is used instead of an applied catalogue.`,
  );
}
