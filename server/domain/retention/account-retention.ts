import { z } from "zod";
import type { Env } from "../../env";
import type { Queryable } from "../../db/client";
import { bool, int4, jsonbText, nullable, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { setKeepsNothing } from "../accounts";
import { operate, type Operator } from "../operator-actions";
import type { RetentionHub } from "./hub";

/** The days that an account can set, with the hub's maximum of each. */
const maxima = {
  input_days: "RETENTION_INPUT_DAYS",
  output_days: "OUTPUT_TTL_DAYS",
  word_days: "RETENTION_WORD_DAYS",
  label_days: "RETENTION_LABEL_DAYS",
  request_log_days: "RETENTION_REQUEST_LOG_DAYS",
} as const satisfies Record<string, keyof Env>;

type Days = keyof typeof maxima;
const names = Object.keys(maxima) as Days[];

const days = (what: string) =>
  z
    .int("must be a whole number")
    .min(1, "must be at least 1; null is as long as the hub keeps it")
    .max(36_500, "must be at most 36500")
    .nullable()
    .optional()
    .meta({ description: `For how many days ${what}; null for as long as the hub does`, example: 30 });

/** The settings of an account to change. Absent members stay as they are. */
export const RetentionPatch = z
  .strictObject({
    keeps_nothing: z
      .boolean()
      .optional()
      .meta({
        description:
          "Whether the content of its generations is erased once they have ended and their outputs were fetched, and after an " +
          "hour at the latest, whatever the days are",
      }),
    input_days: days("inputs are kept, with error messages"),
    output_days: days("outputs are kept"),
    word_days: days("generations can be found by words of their inputs"),
    label_days: days("metadata and end users are kept"),
    request_log_days: days("rejected requests are kept"),
  })
  .meta({ id: "RetentionPatch" });
export type RetentionPatch = z.output<typeof RetentionPatch>;

const columns = {
  keeps_nothing: bool,
  input_days: nullable(int4),
  output_days: nullable(int4),
  word_days: nullable(int4),
  label_days: nullable(int4),
  request_log_days: nullable(int4),
};

type Settings = RowOf<typeof columns>;

/** The settings of an account, and the hub's maxima, null for no limit. */
export type Retention = Settings & { max: Record<Days, number | null> };

/** Returns for how long an account keeps content. Throws a 404 if there is no such account. */
export const getRetention = async (hub: Pick<RetentionHub, "db" | "env">, accountId: number): Promise<Retention> =>
  describeRetention(hub, await readSettings(hub.db, accountId));

/** Returns the settings with the hub's maxima. */
const describeRetention = ({ env }: Pick<RetentionHub, "env">, settings: Settings): Retention => ({
  ...settings,
  max: Object.fromEntries(names.map((name) => [name, env[maxima[name]] ?? null])) as Retention["max"],
});

async function readSettings(db: Queryable, accountId: number): Promise<Settings> {
  const [settings] = await selectSettings(db, accountId);
  if (!settings) throw new AppError("resource_not_found", "There is no such account.");
  return settings;
}

const selectSettings = statement({
  params: [int4],
  row: columns,
  text: `
    SELECT a.keeps_nothing, r.input_days, r.output_days, r.word_days, r.label_days, r.request_log_days
    FROM account a LEFT JOIN account_retention r ON r.account_id = a.id WHERE a.id = $1`,
});

/** Changes for how long the account keeps content. Throws a 400 for more days than the hub's maximum. */
export async function changeRetention(hub: RetentionHub, accountId: number, patch: RetentionPatch): Promise<Retention> {
  checkMaxima(hub.env, patch);
  return hub.db.transaction(async (tx) => describeRetention(hub, await update(tx, accountId, patch)));
}

/** Changes, on behalf of an operator, for how long an account keeps content, as `changeRetention` does. */
export async function setAccountRetention(
  hub: RetentionHub,
  operator: Operator,
  { id, reason, retention }: { id: number; reason?: string; retention: RetentionPatch },
): Promise<void> {
  checkMaxima(hub.env, retention);
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.set-retention", target, reason }, async (tx) => {
    const before = await readSettings(tx, id);
    const after = await update(tx, id, retention);
    return JSON.stringify(before) === JSON.stringify(after) ? null : { before, after, result: undefined };
  });
}

/** Throws a 400 for days above the hub's maximum. */
function checkMaxima(env: Env, patch: RetentionPatch): void {
  for (const name of names) {
    const max = env[maxima[name]];
    if (max !== undefined && (patch[name] ?? 0) > max)
      throw invalidInput(`retention.${name}`, `must be at most ${max}, which is the hub's maximum (${maxima[name]})`);
  }
}

async function update(tx: Queryable, accountId: number, { keeps_nothing, ...days }: RetentionPatch): Promise<Settings> {
  if (keeps_nothing !== undefined) await setKeepsNothing(tx, accountId, keeps_nothing);
  await upsertDays(tx, accountId, JSON.stringify(days));
  return readSettings(tx, accountId);
}

const daysSql = (name: Days) =>
  `${name} = CASE WHEN $2::jsonb ? '${name}' THEN ($2::jsonb ->> '${name}')::int ELSE r.${name} END`;

const upsertDays = statement({
  params: [int4, jsonbText],
  row: {},
  text: `
    INSERT INTO account_retention AS r (account_id, ${names.join(", ")})
    SELECT id, ${names.map((name) => `($2::jsonb ->> '${name}')::int`).join(", ")} FROM account WHERE id = $1
    ON CONFLICT (account_id) DO UPDATE SET ${names.map(daysSql).join(", ")}`,
});

/** Has the sweep erase, in the background, the content of all generations of the account that were created before a time. */
export const eraseBefore = async (hub: Pick<RetentionHub, "db">, accountId: number, time: Date): Promise<void> =>
  void (await upsertEraseBefore(hub.db, accountId, time));

const upsertEraseBefore = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    INSERT INTO account_retention AS r (account_id, erase_before) VALUES ($1, $2)
    ON CONFLICT (account_id) DO UPDATE SET erase_before = greatest(r.erase_before, excluded.erase_before)`,
});
