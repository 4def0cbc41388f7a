import { invalidInput } from "../../errors";

const MAX_NAME_LENGTH = 100;

/**
 * Returns the name of a new token without surrounding spaces. Throws a 400 if nothing is left, or more than 100
 * characters. Tokens are revoked by the stored name, exactly as lists show it.
 */
export function parseTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > MAX_NAME_LENGTH)
    throw invalidInput("name", `must have 1 to ${MAX_NAME_LENGTH} characters`);
  return trimmed;
}
