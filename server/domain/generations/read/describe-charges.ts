import type { Ctx } from "../../../context";
import { array, int4, notNull, nullable, text, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { ReadHub } from "./hub";
import { formatTitle } from "./serialize-generation";

/** What a charge was for. */
export interface ChargeDescription {
  /** The beginning of the prompt; null if there is none. */
  title: string | null;
  /** The name of the API key; null for a generation of the console. */
  key_name: string | null;
}

/** Returns what these generations of the account were for, by their ids. */
export async function describeCharges(ctx: Ctx<ReadHub>, ids: string[]): Promise<Map<string, ChargeDescription>> {
  if (ids.length === 0) return new Map();
  const rows = await selectCharges(ctx.hub.db, ctx.account.id, ids);
  return new Map(rows.map(({ id, prompt, key_name }) => [id, { title: formatTitle({ prompt }), key_name }]));
}

// The last message may have parts, of which only the first one's text is read.
const selectCharges = statement({
  params: [int4, array(uuid)],
  row: { id: notNull(uuid), prompt: nullable(text), key_name: nullable(text) },
  text: `
    SELECT g.id, k.name AS key_name,
           left(coalesce(g.input ->> 'prompt', CASE jsonb_typeof(g.input #> '{messages,-1,content}')
             WHEN 'string' THEN g.input #>> '{messages,-1,content}'
             WHEN 'array' THEN g.input #>> '{messages,-1,content,0,text}'
           END, g.input ->> 'trigger_word'), 640) AS prompt
    FROM generation g LEFT JOIN api_key k ON k.id = g.key_id
    WHERE g.account_id = $1 AND g.id = ANY ($2::uuid[])`,
});
