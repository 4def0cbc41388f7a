import type { Ctx } from "../../context";
import { int4, nullable, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { serializeGeneration } from "../generations/read";
import { visibleColumns, visibleSql } from "../generations/row/sql";
import type { ExportsHub } from "./hub";

// A page is small however large inputs are: they are measured as Postgres stores them, compressed.
const MAX_ROWS = 200;
const MAX_BYTES = 256 * 1024;

/** Returns a page of the account's generations before the id `after`, newest first, with their stored chat replies. */
export async function readGenerations({ hub, account }: Ctx<ExportsHub>, after: string | null, before: string) {
  const rows = await selectGenerations(hub.db, account.id, after ?? before);
  return rows.map(({ choices, ...generation }) => ({
    position: generation.id,
    record: {
      ...serializeGeneration(hub, generation),
      choices: choices === null ? null : (JSON.parse(choices) as unknown),
    },
  }));
}

// BETWEEN and ORDER BY account_id keep the planner on the index by account, as in the list of generations.
const selectGenerations = statement({
  params: [int4, uuid],
  row: { ...visibleColumns, choices: nullable(text) },
  text: `
    WITH measured AS (
      SELECT g.id, reply.choices, sum(pg_column_size(g.input) + coalesce(pg_column_size(reply.choices), 0))
        OVER (ORDER BY g.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (
        SELECT id, input FROM generation
        WHERE account_id BETWEEN $1 AND $1 AND id < $2 ORDER BY account_id, id DESC LIMIT ${MAX_ROWS}
      ) g LEFT JOIN chat_reply reply ON reply.generation_id = g.id
    )
    SELECT ${visibleSql}, measured.choices FROM measured JOIN generation g ON g.id = measured.id
    WHERE coalesce(measured.bytes_before, 0) < ${MAX_BYTES} ORDER BY g.id DESC`,
});
