import type { Ctx } from "../../context";
import { bool, int4, int8, int8Number, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor, type Page } from "../../lib/cursor";
import { isId } from "../../lib/id";
import { fileUrl } from "../files";
import type { SharesHub } from "./hub";

/** How many days links that have ended stay in the list. */
export const ENDED_LINK_DAYS = 30;
const DAY_MS = 86_400_000;

const columns = {
  id: uuid,
  file_id: uuid,
  generation_id: notNull(uuid),
  media_type: text,
  name: nullable(text),
  size: int8,
  is_removed: bool,
  shows_prompt: bool,
  created_at: timestamptz,
  expires_at: timestamptz,
  revoked_at: nullable(timestamptz),
  views: int4,
  last_viewed_at: nullable(timestamptz),
};
type ShareLinkRow = RowOf<typeof columns>;

/** Returns a page of the account's links, also of those that ended within the last 30 days, newest first. */
export async function listShareLinks(
  { hub, account }: Ctx<SharesHub>,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<ShareLinkRow>> {
  const scope = JSON.stringify(["share links", account.id]);
  const before = cursor === undefined ? null : decodeCursor(hub, scope, cursor);
  const rows = await selectLinks(hub.db, account.id, before, limit + 1);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

const selectLinks = statement({
  params: [int4, nullable(uuid), int8Number],
  row: columns,
  text: `
    SELECT s.id, s.file_id, f.generation_id, f.media_type, f.name, f.size, f.removed_at IS NOT NULL AS is_removed,
           s.shows_prompt, s.created_at, s.expires_at, s.revoked_at, s.views, s.last_viewed_at
    FROM share_link s JOIN file f ON f.id = s.file_id
    WHERE s.account_id = $1 AND ($2::uuid IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3`,
});

/** Returns a link as the console shows it, at this time. Its URL is not known any more. */
export const serializeShareLink = (hub: SharesHub, link: ShareLinkRow) => ({
  id: link.id,
  state: stateOf(link, hub.now()),
  generation_id: link.generation_id,
  file: { url: fileUrl(hub, link.file_id), name: link.name, media_type: link.media_type, size: Number(link.size) },
  shows_prompt: link.shows_prompt,
  created_at: link.created_at.toISOString(),
  expires_at: link.expires_at.toISOString(),
  views: link.views,
  last_viewed_at: link.last_viewed_at?.toISOString() ?? null,
});

type State = "active" | "expired" | "revoked" | "removed";

function stateOf({ revoked_at, is_removed, expires_at }: ShareLinkRow, now: Date): State {
  if (revoked_at) return "revoked";
  if (is_removed) return "removed";
  return expires_at > now ? "active" : "expired";
}

/** Ends a link at once. Throws a 404 if it is not the account's or has ended. */
export async function revokeShareLink({ hub, account }: Ctx<SharesHub>, id: string): Promise<void> {
  const revoked = isId(id) ? await revokeLink(hub.db, id, account.id, hub.now()) : [];
  if (revoked.length === 0) throw new AppError("resource_not_found", "There is no such link, or it has ended.");
}

const revokeLink = statement({
  params: [uuid, int4, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE share_link SET revoked_at = $3, expires_at = $3
    WHERE id = $1 AND account_id = $2 AND expires_at > $3 RETURNING id`,
});

/** Deletes at most `limit` links that ended more than 30 days ago. Returns how many. */
export async function purgeShareLinks(hub: Pick<SharesHub, "db" | "now">, limit: number): Promise<number> {
  return (await deleteEnded(hub.db, new Date(hub.now().getTime() - ENDED_LINK_DAYS * DAY_MS), limit)).length;
}

const deleteEnded = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM share_link WHERE id IN (
      SELECT id FROM share_link WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});
