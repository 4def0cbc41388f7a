import type { Ctx } from "../../../context";
import { array, int4, int8Number, notNull, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { fileColumns, fileSql, hasContentSql } from "../../files/sql";
import type { ReadHub } from "./hub";

const outputColumns = { ...fileColumns, generation_id: notNull(uuid), index: notNull(int4), prompt: nullable(text) };

/** An output, with the beginning of its generation's prompt. */
export type GenerationOutput = RowOf<typeof outputColumns>;

/** Returns up to `limit` outputs of these generations of the account that have not expired, by generation. */
export const listOutputs = (ctx: Ctx<ReadHub>, ids: string[], limit: number): Promise<GenerationOutput[]> =>
  selectOutputs(ctx.hub.db, ctx.account.id, ids, ctx.hub.now(), limit);

const selectOutputs = statement({
  params: [int4, array(uuid), timestamptz, int8Number],
  row: outputColumns,
  text: `
    SELECT ${fileSql}, left(g.input ->> 'prompt', 60) AS prompt
    FROM generation g JOIN file f ON f.generation_id = g.id
    WHERE g.account_id = $1 AND g.id = ANY ($2::uuid[])
      AND ${hasContentSql("f")} AND f.expires_at > $3
    ORDER BY g.id, f.index LIMIT $4`,
});
