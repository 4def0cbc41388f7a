import type { Ctx } from "../../context";
import { int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type Nano, toEuros } from "../../lib/money";
import type { LedgerHub } from "./hub";

const DAY_MS = 86_400_000;

/** A sum of charges, and the number of generations charged. */
interface Sum {
  spent: Nano;
  count: number;
}

/** An account's charges over some days: by UTC day, oldest first without gaps; by model and key, highest first. */
export interface Spend extends Sum {
  days: (Sum & { day: string })[];
  models: (Sum & { model: string })[];
  /** The key is null for generations that were created without an API key. */
  keys: (Sum & { key: { id: string; name: string } | null })[];
}

/**
 * Returns the account's charges of the last `dayCount` days including today, by day, model and key; only those of one key
 * if `keyId` names it.
 */
export async function sumSpend(ctx: Ctx<LedgerHub>, dayCount: number, keyId: string | null = null): Promise<Spend> {
  const today = Math.floor(ctx.hub.now().getTime() / DAY_MS) * DAY_MS;
  const first = today - (dayCount - 1) * DAY_MS;
  const rows = await selectSpend(ctx.hub.db, ctx.account.id, new Date(first), new Date(today + DAY_MS), keyId);
  const byDay = new Map(rows.flatMap(({ by, day, spent, count }) => (by === "day" ? [[day, { spent, count }]] : [])));
  const days = Array.from({ length: dayCount }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    return { day, ...(byDay.get(day) ?? { spent: 0n, count: 0 }) };
  });
  return {
    ...addUp(days),
    days,
    models: rows.flatMap(({ by, model, spent, count }) => (by === "model" ? [{ model, spent, count }] : [])),
    keys: rows.flatMap(({ by, key_id, key_name, spent, count }) =>
      by === "key" ? [{ key: key_id === null ? null : { id: key_id, name: key_name }, spent, count }] : [],
    ),
  };
}

/**
 * Returns the spend for the console: the `maxItems` models and keys with the highest spend, and the others as one sum.
 */
export function serializeSpend({ days, models, keys, ...total }: Spend, maxItems: number) {
  return {
    ...serializeSum(total),
    days: days.map(({ day, ...sum }) => ({ day, ...serializeSum(sum) })),
    models: splitTop(models, maxItems, ({ model }) => ({ model })),
    keys: splitTop(keys, maxItems, ({ key }) => ({ key })),
  };
}

const splitTop = <Item extends Sum, Label>(items: Item[], maxItems: number, toLabel: (item: Item) => Label) => {
  const rest = items.slice(maxItems);
  return {
    dearest: items.slice(0, maxItems).map((item) => ({ ...toLabel(item), ...serializeSum(item) })),
    others: rest.length > 0 ? { ...serializeSum(addUp(rest)), of: rest.length } : null,
  };
};

const serializeSum = ({ spent, count }: Sum) => ({ spent: toEuros(spent), count });

const addUp = (sums: Sum[]): Sum => ({
  spent: sums.reduce((total, { spent }) => total + spent, 0n),
  count: sums.reduce((total, { count }) => total + count, 0),
});

// LIMIT 1 forces an index lookup for each entry, because a plain join could scan all generations.
const selectSpend = statement({
  params: [int4, timestamptz, timestamptz, nullable(uuid)],
  row: {
    by: textOf<"day" | "model" | "key">(),
    day: notNull(text),
    model: notNull(text),
    key_id: nullable(uuid),
    key_name: text,
    spent: int8,
    count: int4,
  },
  text: `
    WITH charged AS MATERIALIZED (
      SELECT generation_id, -amount AS cost, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM ledger_entry
      WHERE account_id = $1 AND kind = 'charge' AND created_at >= $2 AND created_at < $3
    )
    SELECT summed.*, k.name AS key_name FROM (
      SELECT CASE grouping(day, model, key_id) WHEN 3 THEN 'day' WHEN 5 THEN 'model' ELSE 'key' END AS by,
             day, model, key_id, sum(cost)::bigint AS spent, count(*)::int AS count
      FROM charged, LATERAL (SELECT model, key_id FROM generation WHERE id = charged.generation_id LIMIT 1) g
      WHERE $4::uuid IS NULL OR g.key_id = $4
      GROUP BY GROUPING SETS (day, model, key_id)
    ) summed LEFT JOIN api_key k ON k.id = summed.key_id
    ORDER BY spent DESC, model, key_id`,
});
