import { bool, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { eraseContent } from "./erase-content";
import type { ErasureHub } from "./hub";

/**
 * Records that the owner has fetched a whole output, and erases the content of its generation if that keeps nothing and all of
 * its outputs were fetched. Never throws: after a failure, the content is erased an hour after the generation's end.
 */
export async function onOutputFetched(
  hub: ErasureHub,
  { id, generation_id: generationId }: { id: string; generation_id: string | null },
): Promise<void> {
  if (generationId === null) return;
  try {
    await markFetched(hub.db, id, hub.now());
    // A separate statement: of two requests that fetch the last outputs, the later one sees both.
    const [generation] = await selectFetched(hub.db, generationId);
    if (generation?.is_fetched) await eraseContent(hub, [generationId]);
  } catch (error) {
    hub.log.warn({ err: error, file: id }, "content of a fetched generation not erased");
  }
}

const markFetched = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
    UPDATE file SET fetched_at = $2 FROM generation g
    WHERE file.id = $1 AND file.fetched_at IS NULL AND g.id = file.generation_id AND g.keeps_nothing`,
});

const selectFetched = statement({
  params: [uuid],
  row: { is_fetched: bool },
  text: `
    SELECT NOT EXISTS (
      SELECT FROM file f WHERE f.generation_id = g.id AND f.stored_at IS NOT NULL AND f.fetched_at IS NULL) AS is_fetched
    FROM generation g WHERE g.id = $1 AND g.keeps_nothing AND g.erased_at IS NULL`,
});
