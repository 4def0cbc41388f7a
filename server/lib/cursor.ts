import { invalidInput } from "../errors";
import { computeHmac, isEqualConstantTime, listSecrets, type Secrets } from "./signature";

const signPosition = (secret: string, scope: string, position: string) =>
  computeHmac(secret, `cursor\n${scope}\n${position}`).subarray(0, 12);

/** Returns an opaque cursor for a position in a listing, signed for the listing's filters and account (`scope`). */
export const encodeCursor = (secret: string, scope: string, position: string): string =>
  `${Buffer.from(position).toString("base64url")}.${signPosition(secret, scope, position).toString("base64url")}`;

/** Returns the position of a cursor. Throws a 400 for one of other filters, another account or another origin. */
export function decodeCursor(secrets: Secrets, scope: string, cursor: string): string {
  const [body = "", tag = ""] = cursor.split(".");
  const position = Buffer.from(body, "base64url").toString();
  const givenTag = Buffer.from(tag, "base64url");
  if (!listSecrets(secrets).some((secret) => isEqualConstantTime(signPosition(secret, scope, position), givenTag))) {
    throw invalidInput("cursor", "must be the next_cursor of a page with the same filters");
  }
  return position;
}
