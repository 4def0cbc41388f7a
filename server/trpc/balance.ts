import { listEntries, serializeEntry } from "../domain/ledger/list-entries";
import { listHolds, serializeHold } from "../domain/generations/list-holds";
import { parseStatementFilters, StatementFilters } from "../domain/ledger/write-statement";
import { pageOrFirst } from "./page-or-first";
import { cursor, procedure, router } from "./procedure";

const PAGE = 25;
const MAX_HOLDS = 20;

export const balance = router({
  statement: procedure.input(StatementFilters.extend({ cursor })).query(async ({ ctx, input: { cursor, ...days } }) => {
    const filters = parseStatementFilters(days);
    const { data, next_cursor } = await pageOrFirst(cursor, (cursor) =>
      listEntries(ctx, { ...filters, limit: PAGE, cursor }),
    );
    return { data: data.map(serializeEntry), next_cursor };
  }),

  /** Returns the newest holds. */
  holds: procedure.query(async ({ ctx }) => (await listHolds(ctx, MAX_HOLDS)).map(serializeHold)),
});
