import type { HubParts } from "../../../context";
import { int4, int8, int8Number, jsonb, jsonText, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { collectWords } from "./search-words";

/** The parts of the hub that the search uses. */
type SearchHub = Pick<HubParts, "db">;

const BATCH = 500;

/**
 * Makes up to `limit` generations searchable that an older version of the hub accepted, newest first. Returns how many; 0 once
 * all are searchable. Those are the generations before the oldest searchable one.
 */
export async function indexOlderGenerations(hub: SearchHub, limit: number): Promise<number> {
  for (let indexed = 0; ;) {
    const rows = await selectOlder(hub.db, Math.min(BATCH, limit - indexed));
    if (rows.length === 0) return indexed;
    const entries = rows.map(({ id, account_id, input }) => ({ id, words: collectWords(account_id, input) }));
    await insertWords(hub.db, JSON.stringify(entries));
    indexed += rows.length;
  }
}

const selectOlder = statement({
  params: [int8Number],
  row: { id: uuid, account_id: int4, input: jsonb<unknown>() },
  text: `
    SELECT id, account_id, input FROM generation
    WHERE id < coalesce((SELECT generation_id FROM generation_words ORDER BY generation_id LIMIT 1),
                        'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY id DESC LIMIT $1`,
});

const insertWords = statement({
  params: [jsonText],
  row: {},
  text: `
    INSERT INTO generation_words (generation_id, words)
    SELECT id, array_to_tsvector(words) FROM json_to_recordset($1::json) AS row (id uuid, words text[])
    ON CONFLICT DO NOTHING`,
});

/** Merges the words of new generations into the index; inserts leave them pending. */
export const mergeNewWords = async (hub: SearchHub): Promise<void> => void (await mergePending(hub.db));

const mergePending = statement({
  params: [],
  row: { pages: int8 },
  text: "SELECT gin_clean_pending_list('generation_words_by_word'::regclass) AS pages",
});
