import type { Ctx } from "../../context";
import { type Nano, toEuros } from "../../lib/money";

const DAY_MS = 86_400_000;

/** What was charged, and for how many generations. */
interface Sum {
  spent: Nano;
  count: number;
}

/** An account's charges in some days. Days are UTC's, oldest first, none left out; the others stand dearest first. */
export interface Spend extends Sum {
  days: (Sum & { day: string })[];
  models: (Sum & { model: string })[];
  /** Null stands for the console, where no key is used. */
  keys: (Sum & { key: { id: string; name: string } | null })[];
}

/**
 * What the account was charged today and on the `length - 1` days before, by day, model and key. One statement, which
 * reads the entries of these days and no others.
 */
export async function sumSpend(ctx: Ctx, length: number): Promise<Spend> {
  const today = Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS;
  const first = today - (length - 1) * DAY_MS;
  const rows = await ctx.db.query<Row>(statement, [ctx.account.id, new Date(first), new Date(today + DAY_MS)]);
  const byDay = new Map(rows.flatMap(({ by, day, spent, count }) => (by === "day" ? [[day, { spent, count }]] : [])));
  const days = Array.from({ length }, (_, index) => {
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

/** Spend as pages have it: of models and keys the `most` dearest ones, and all others as one sum. */
export function serializeSpend({ days, models, keys, ...total }: Spend, most: number) {
  return {
    ...representSum(total),
    days: days.map(({ day, ...sum }) => ({ day, ...representSum(sum) })),
    models: cut(models, most, ({ model }) => ({ model })),
    keys: cut(keys, most, ({ key }) => ({ key })),
  };
}

const cut = <One extends Sum, Name>(all: One[], most: number, name: (one: One) => Name) => {
  const rest = all.slice(most);
  return {
    dearest: all.slice(0, most).map((one) => ({ ...name(one), ...representSum(one) })),
    others: rest.length > 0 ? { ...representSum(addUp(rest)), of: rest.length } : null,
  };
};

const representSum = ({ spent, count }: Sum) => ({ spent: toEuros(spent), count });

const addUp = (sums: Sum[]): Sum => ({
  spent: sums.reduce((total, { spent }) => total + spent, 0n),
  count: sums.reduce((total, { count }) => total + count, 0),
});

interface Row extends Sum {
  by: "day" | "model" | "key";
  day: string;
  model: string;
  key_id: string | null;
  key_name: string;
}

// One look-up for each entry, because of the LIMIT: a join could read all generations that ever were.
const statement = `
  WITH charged AS MATERIALIZED (
    SELECT generation_id, -amount AS cost, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM ledger_entry
    WHERE account_id = $1 AND kind = 'charge' AND created_at >= $2 AND created_at < $3
  )
  SELECT summed.*, k.name AS key_name FROM (
    SELECT CASE grouping(day, model, key_id) WHEN 3 THEN 'day' WHEN 5 THEN 'model' ELSE 'key' END AS by,
           day, model, key_id, sum(cost)::bigint AS spent, count(*)::int AS count
    FROM charged, LATERAL (SELECT model, key_id FROM generation WHERE id = charged.generation_id LIMIT 1) g
    GROUP BY GROUPING SETS (day, model, key_id)
  ) summed LEFT JOIN api_key k ON k.id = summed.key_id
  ORDER BY spent DESC, model, key_id`;
