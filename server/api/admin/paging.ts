import type { Hub } from "../../domain/hub";
import { decodeCursor, encodeCursor } from "../../lib/cursor";

/** Returns the position of a cursor, which is valid for one listing with one set of filters; undefined without one. */
export const readPosition = (hub: Hub, scope: unknown[], cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : decodeCursor(hub, JSON.stringify(scope), cursor);

/** Returns the response with a page and the cursor of the next one. */
export const respondPage = <Row>(
  hub: Hub,
  scope: unknown[],
  { data, next }: { data: Row[]; next: string | number | null },
) => ({
  json: { data, next_cursor: next === null ? null : encodeCursor(hub.secret, JSON.stringify(scope), String(next)) },
});
