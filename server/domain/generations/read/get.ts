import { type Ctx, type HubParts, onlyKeyOf } from "../../../context";
import { int4, jsonb, jsonText, nullable, textOf } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { AppError } from "../../../errors";
import { type Batcher, createBatcher } from "../../../lib/batch";
import { isId } from "../../../lib/id";
import type { Generation, VideoRequest } from "../row";
import { generationColumns, generationSql } from "../row/sql";
import type { WaitReason } from "../queue";

/** A generation as it is stored, with what only its own page and its run need. */
export interface StoredGeneration extends Generation {
  /** The number of its newest lease, 0 if it never had one. */
  fence: number;
  /** How many jobs are before it in the provider's queue; null if that is unknown or it does not wait there. */
  queue_position: number | null;
  /** Why the hub holds it back, the alphabetically first reason if its routes have several; null if it does not. */
  wait_reason: WaitReason | null;
  /** Null unless it is a video of `/v1/videos`. */
  video: VideoRequest | null;
}

/**
 * Returns a generation of the account, or of the key if it sees only its own. Throws 404 `generation_not_found` for a
 * missing, foreign or malformed id alike.
 */
export async function getStoredGeneration(
  ctx: Ctx<{ services: LookupServices }>,
  id: string,
): Promise<StoredGeneration> {
  const { hub, account, actor } = ctx;
  const found = isId(id)
    ? await hub.services.findGeneration({ id, account_id: account.id, only_key: onlyKeyOf(actor) })
    : null;
  if (!found) throw new AppError("generation_not_found");
  return found;
}

/** A generation and who asks for it; `only_key` is null for callers that see all of the account. */
interface GenerationRef {
  id: string;
  account_id: number;
  only_key: string | null;
}

export interface LookupServices {
  /** The statement of `getStoredGeneration`: clients poll, so many ask at the same time. */
  findGeneration: Batcher<GenerationRef, StoredGeneration | null>;
}

/** Returns the batcher of `getStoredGeneration`. */
export const createGenerationLookup = (hub: Pick<HubParts, "db">): LookupServices["findGeneration"] =>
  createBatcher(async (refs) => {
    const rows = await selectGenerations(hub.db, JSON.stringify(refs.map((ref, n) => ({ n, ...ref }))));
    const byNumber = new Map(rows.map((row) => [row.n, row]));
    return refs.map((_, n) => byNumber.get(n) ?? null);
  });

const selectGenerations = statement({
  params: [jsonText],
  row: {
    n: int4,
    ...generationColumns,
    fence: int4,
    queue_position: nullable(int4),
    wait_reason: nullable(textOf<WaitReason>()),
    video: nullable(jsonb<VideoRequest>()),
  },
  // Neither attempts nor waits of a generation that has ended are read. LATERAL with LIMIT forces a look-up by id, as for
  // keys (decision 8).
  text: `
    SELECT wanted.n, ${generationSql}, g.fence, (
      SELECT max(a.queue_position) FROM attempt a
      WHERE g.status = 'running' AND a.generation_id = g.id AND a.ended_at IS NULL
    ) AS queue_position, (
      SELECT min(w.reason) FROM route_wait w WHERE g.completed_at IS NULL AND w.generation_id = g.id
    ) AS wait_reason, g.video
    FROM json_to_recordset($1::json) AS wanted (n int, id uuid, account_id int, only_key uuid)
    CROSS JOIN LATERAL (SELECT * FROM generation WHERE id = wanted.id LIMIT 1) g
    WHERE g.account_id = wanted.account_id AND (wanted.only_key IS NULL OR g.key_id = wanted.only_key)`,
});
