import { z } from "zod";
import { type EntryFilters, entryKinds } from "./list-entries";

const DAY_MS = 86_400_000;

/** A statement's filters as a page sends them: a kind, and whole days in UTC, the last one included. */
export const StatementFilters = z.object({
  kind: z.enum(entryKinds).optional(),
  from: z.iso.date("must be a day as YYYY-MM-DD").optional(),
  to: z.iso.date("must be a day as YYYY-MM-DD").optional(),
});

export const parseStatementFilters = ({ kind, from, to }: z.output<typeof StatementFilters>): EntryFilters => ({
  kind,
  from: from === undefined ? undefined : new Date(from),
  until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
});
