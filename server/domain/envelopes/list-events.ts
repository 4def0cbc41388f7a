import type { Ctx } from "../../context";
import { array, int4, int8, int8Number, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import { followEventsSql } from "../accounts/sql";
import { checkMoneyEvents, type EndpointsHub } from "../endpoints";
import { type EventName, generationEventNames } from "../events";
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

interface Query {
  after?: string;
  limit: number;
  types?: EventName[];
}

/**
 * Returns the account's events of these types, by default those of generations, after the one with the id `after`, by
 * default from the oldest stored one; for `latest` only the end of the feed, without events. Events are only appended, never
 * inserted before one that was returned. From the first call on, events of the account are stored. Throws 400 when `after` is
 * unknown, and 403 like `checkMoneyEvents`.
 */
export async function listEvents(
  ctx: Ctx<EnvelopesHub & EndpointsHub>,
  { after, limit, types = generationEventNames }: Query,
): Promise<Feed> {
  await checkMoneyEvents(ctx, types);
  if (after === "latest") {
    const [newest] = await selectLatest(ctx.hub.db, ctx.account.id, types);
    return { envelopes: [], next_after: newest?.id ?? null, has_more: false };
  }
  const from = after === undefined ? 0n : await findPosition(ctx, after);
  const rows = await selectPage(ctx.hub.db, ctx.account.id, types, from, limit + 1);
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

const generationNamesSql = `'{${generationEventNames.join(",")}}'::text[]`;

// Two ordered scans, because generations' events and all others have separate indexes. A request that names no event of
// generations skips the first scan.
const mergedSql = (condition: string, order: string, limit: string) => {
  const scan = (kind: string) => `(SELECT n, id, name, created_at, snapshot, data FROM event
       WHERE account_id = $1 AND ${kind} AND name = ANY ($2::text[]) ${condition} ORDER BY n ${order} LIMIT ${limit})`;
  return `
    SELECT * FROM (
      ${scan(`generation_id IS NOT NULL AND $2::text[] && ${generationNamesSql}`)}
      UNION ALL
      ${scan("generation_id IS NULL")}
    ) merged ORDER BY n ${order} LIMIT ${limit}`;
};

const eventNamesType = array(textOf<EventName>());

const selectLatest = statement({
  params: [int4, eventNamesType],
  row: { id: uuid },
  text: `
    WITH ${followEventsSql("$1")}
    SELECT id FROM (${mergedSql("", "DESC", "1")}) latest`,
});

const selectPage = statement({
  params: [int4, eventNamesType, int8, int8Number],
  row: { ...eventColumns, id: uuid, name: text, created_at: timestamptz },
  text: `
    WITH ${followEventsSql("$1")} ${mergedSql("AND n > $3", "ASC", "$4")}`,
});

const selectPosition = statement({
  params: [uuid, int4],
  row: { n: int8 },
  text: "SELECT n FROM event WHERE id = $1 AND account_id = $2",
});
