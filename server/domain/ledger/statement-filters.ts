import { z } from "zod";
import { type EntryFilters, entryKinds } from "./list-entries";

const DAY_MS = 86_400_000;

/** The account statement's filters in a request: a kind, and UTC days of which the last is inclusive. */
export const StatementFilters = z.object({
  kind: z.enum(entryKinds).optional(),
  from: z.iso.date("must be a day as YYYY-MM-DD").optional(),
  to: z.iso.date("must be a day as YYYY-MM-DD").optional(),
});

/** Converts the days of a request to the times of `EntryFilters`. */
export const parseStatementFilters = ({ kind, from, to }: z.output<typeof StatementFilters>): EntryFilters => ({
  kind,
  from: from === undefined ? undefined : new Date(from),
  until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
});
