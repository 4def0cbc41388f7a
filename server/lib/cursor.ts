import { invalidInput } from "../errors";
import { computeHmac, isEqualConstantTime, listSecrets, type Secrets } from "./signature";

/** A page of a listing; `next_cursor` is null on the last one. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

const signPosition = (secret: string, scope: string, position: string) =>
  computeHmac(secret, `cursor\n${scope}\n${position}`).subarray(0, 12);

/** Returns an opaque cursor for a position in a listing, signed for the listing's filters and account (`scope`). */
export const encodeCursor = (secret: string, scope: string, position: string): string =>
  `${Buffer.from(position).toString("base64url")}.${signPosition(secret, scope, position).toString("base64url")}`;

/** Returns the page that begins with these rows, of which more than `limit` were read if there is a next page. */
export function toPage<Row>(
  { secret }: Secrets,
  scope: string,
  rows: Row[],
  { limit, positionOf }: { limit: number; positionOf: (last: Row) => number | bigint },
): Page<Row> {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1)! : null;
  return { data, next_cursor: last && encodeCursor(secret, scope, String(positionOf(last))) };
}

/** Returns the position of a cursor. Throws a 400 for one of other filters or another account, or that the hub has not made. */
export function decodeCursor(secrets: Secrets, scope: string, cursor: string): string {
  const position = Buffer.from(cursor.split(".")[0]!, "base64url").toString();
  // Compared as a whole, because the decoder also accepts texts that the hub has not made.
  const isOwn = (secret: string) =>
    isEqualConstantTime(Buffer.from(encodeCursor(secret, scope, position)), Buffer.from(cursor));
  if (!listSecrets(secrets).some(isOwn))
    throw invalidInput("cursor", "must be the next_cursor of a page with the same filters");
  return position;
}
