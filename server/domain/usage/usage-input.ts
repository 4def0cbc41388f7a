import { z } from "zod";
import { METADATA_KEY } from "../labels";

/** A part of a period, from the longest to the shortest. */
export const grains = ["month", "day", "hour"] as const;
export type Grain = (typeof grains)[number];

/** What usage can be grouped by, besides metadata. */
const names = [...grains, "model", "key", "end_user", "account"] as const;

/** One group: its name as the client sends it, and the key of metadata if it is one. */
export interface Group {
  name: string;
  kind: (typeof names)[number] | "metadata";
  key: string | null;
}

const MAX_GROUPS = 2;
const PREFIX = "metadata.";

function toGroup(name: string): Group | null {
  const kind = names.find((one) => one === name);
  if (kind) return { name, kind, key: null };
  const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
  return METADATA_KEY.test(key) ? { name, kind: "metadata", key } : null;
}

/** Returns the schema of `group_by`. Only operators group by account. */
const groupsSchema = (hasAccounts: boolean) =>
  z
    .string()
    .max(200)
    .default("day")
    .transform((text, context): Group[] => {
      const groups = text.split(",").map((name) => toGroup(name.trim()));
      const reject = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      if (groups.length > MAX_GROUPS) return reject(`may have at most ${MAX_GROUPS} groups`);
      const known = groups.filter((group) => group !== null);
      if (known.length < groups.length || (!hasAccounts && known.some(({ kind }) => kind === "account")))
        return reject(`must be one or two of ${listNames(hasAccounts)}`);
      if (known.filter(({ kind }) => (grains as readonly string[]).includes(kind)).length > 1)
        return reject("may have only one of hour, day and month");
      if (new Set(known.map(({ name }) => name)).size < known.length) return reject("must name each group once");
      return known;
    });

const listNames = (hasAccounts: boolean) =>
  [...(hasAccounts ? names : names.filter((name) => name !== "account")), "metadata.KEY"].join(", ");

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], "must be a day as YYYY-MM-DD or a time in ISO 8601")
  .transform((text) => new Date(text));

const describe = (hasAccounts: boolean) => ({
  from: time.optional().meta({
    type: "string",
    description: "Settled at this time or later: a day in UTC or a time in ISO 8601. By default 30 days ago",
    example: "2026-11-01",
  }),
  to: time.optional().meta({
    type: "string",
    description: "Settled before this time. By default the end of today in UTC",
    example: "2026-12-01",
  }),
  group_by: groupsSchema(hasAccounts).meta({
    type: "string",
    default: "day",
    description: `One or two of ${listNames(hasAccounts)}, separated by a comma`,
    example: "day,model",
  }),
  format: z.enum(["json", "csv"]).optional().meta({
    description: "`csv` returns all rows as CSV, as does `Accept: text/csv`",
  }),
});

/** The parameters that choose which of an account's usage is summed up, and how. */
export const UsageFilter = describe(false);
/** The same for operators, who can also group by account. */
export const AllUsageFilter = describe(true);
