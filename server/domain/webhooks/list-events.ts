import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import { buildEnvelope, type EventRow, renderEvent } from "./render";

interface Row extends EventRow {
  id: string;
  name: string;
  created_at: Date;
}

export interface Feed {
  /** Envelopes as text, oldest first. */
  envelopes: string[];
  /** Where to go on: the id of the newest event seen, or null while there is none. */
  next_after: string | null;
  /** There are more to be had at once. */
  has_more: boolean;
}

/**
 * The account's events after the one of the id `after`; without it from the oldest kept, with `latest` none and where
 * the feed ends. No event is ever put in before one that was read. The first call makes the account follow its events.
 */
export async function listEvents(ctx: Ctx, { after, limit }: { after?: string; limit: number }): Promise<Feed> {
  if (after === "latest") return endOf(ctx);
  const from = after === undefined ? 0n : await positionOf(ctx, after);
  const rows = await ctx.db.query<Row>(page, [ctx.account.id, from, limit + 1]);
  const shown = rows.slice(0, limit);
  const texts = await Promise.all(shown.map((event) => renderEvent(ctx.hub, event)));
  return {
    envelopes: shown.map((event, index) => buildEnvelope(event.id, event, texts[index]!)),
    next_after: shown.at(-1)?.id ?? after ?? null,
    has_more: rows.length > limit,
  };
}

async function endOf(ctx: Ctx): Promise<Feed> {
  const [newest] = await ctx.db.query<{ id: string }>(latest, [ctx.account.id]);
  return { envelopes: [], next_after: newest?.id ?? null, has_more: false };
}

async function positionOf(ctx: Ctx, id: string): Promise<bigint> {
  const rows = isId(id)
    ? await ctx.db.query<{ n: bigint }>("SELECT n FROM event WHERE id = $1 AND account_id = $2", [id, ctx.account.id])
    : [];
  if (!rows[0]) throw invalidInput("after", "must be the id of an event that is still kept, or `latest`");
  return rows[0].n;
}

const follow = "UPDATE account SET follows_events = true WHERE id = $1 AND NOT follows_events";
const latest = `
  WITH followed AS (${follow})
  SELECT id FROM event WHERE account_id = $1 AND generation_id IS NOT NULL ORDER BY n DESC LIMIT 1`;
const page = `
  WITH followed AS (${follow})
  SELECT n, id, name, created_at, snapshot, data FROM event
  WHERE account_id = $1 AND generation_id IS NOT NULL AND n > $2 ORDER BY n LIMIT $3`;
