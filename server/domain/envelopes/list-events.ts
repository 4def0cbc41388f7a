import type { Ctx } from "../../context";
import { int4, int8, int8Number, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import { followEventsSql } from "../accounts/sql";
import type { EnvelopesHub } from "./hub";
import { buildEnvelope, eventColumns, renderEvent } from "./render";

export interface Feed {
  /** Envelopes as text, oldest first. */
  envelopes: string[];
  /** The `after` of the next request: the id of the newest event returned so far, or null while there is none. */
  next_after: string | null;
  /** Whether more events are available now. */
  has_more: boolean;
}

/**
 * Returns the account's events after the one with the id `after`, by default from the oldest stored one; for `latest` only
 * the end of the feed, without events. Events are only appended, never inserted before one that was returned. From the first
 * call on, events of the account's generations are stored. Throws 400 when `after` is unknown.
 */
export async function listEvents(
  ctx: Ctx<EnvelopesHub>,
  { after, limit }: { after?: string; limit: number },
): Promise<Feed> {
  if (after === "latest") {
    const [newest] = await selectLatest(ctx.hub.db, ctx.account.id);
    return { envelopes: [], next_after: newest?.id ?? null, has_more: false };
  }
  const from = after === undefined ? 0n : await findPosition(ctx, after);
  const rows = await selectPage(ctx.hub.db, ctx.account.id, from, limit + 1);
  const events = rows.slice(0, limit);
  const texts = await Promise.all(events.map((event) => renderEvent(ctx.hub, event)));
  return {
    envelopes: events.map((event, index) => buildEnvelope(event.id, event, texts[index]!)),
    next_after: events.at(-1)?.id ?? after ?? null,
    has_more: rows.length > limit,
  };
}

async function findPosition(ctx: Ctx<EnvelopesHub>, id: string): Promise<bigint> {
  const rows = isId(id) ? await selectPosition(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw invalidInput("after", "must be the id of an event that is still stored, or `latest`");
  return rows[0].n;
}

const selectLatest = statement({
  params: [int4],
  row: { id: uuid },
  text: `
    WITH ${followEventsSql("$1")}
    SELECT id FROM event WHERE account_id = $1 AND generation_id IS NOT NULL ORDER BY n DESC LIMIT 1`,
});

const selectPage = statement({
  params: [int4, int8, int8Number],
  row: { ...eventColumns, id: uuid, name: text, created_at: timestamptz },
  text: `
    WITH ${followEventsSql("$1")}
    SELECT n, id, name, created_at, snapshot, data FROM event
    WHERE account_id = $1 AND generation_id IS NOT NULL AND n > $2 ORDER BY n LIMIT $3`,
});

const selectPosition = statement({
  params: [uuid, int4],
  row: { n: int8 },
  text: "SELECT n FROM event WHERE id = $1 AND account_id = $2",
});
