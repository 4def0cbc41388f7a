import type { HubParts } from "../../../context";
import { int4, jsonText } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { type Batcher, createBatcher } from "../../../lib/batch";

interface RequestOf {
  accountId: number;
  /** The digest of a request. */
  digest: Buffer;
}

export interface ReplayServices {
  /** Returns whether an equal chat of the account lost its client, or was claimed by a retry of it. */
  mayBeJoined: Batcher<RequestOf, boolean>;
}

/**
 * Returns the look-up of clients that do not mark their retries: hardly any of their requests is a retry, so many share a
 * statement.
 */
export const createReplayServices = (hub: Pick<HubParts, "db">): ReplayServices => ({
  mayBeJoined: createBatcher(async (requests) => {
    const wanted = requests.map(({ accountId, digest }, n) => ({
      n,
      account_id: accountId,
      digest: digest.toString("hex"),
    }));
    const found = new Set((await selectJoinable(hub.db, JSON.stringify(wanted))).map(({ n }) => n));
    return requests.map((_, n) => found.has(n));
  }),
});

const selectJoinable = statement({
  params: [jsonText],
  row: { n: int4 },
  // LATERAL with LIMIT forces a look-up by the digest, as for keys (decision 8).
  text: `
    SELECT wanted.n FROM json_to_recordset($1::json) AS wanted (n int, account_id int, digest text)
    CROSS JOIN LATERAL (
      SELECT FROM generation
      WHERE account_id = wanted.account_id AND request_digest = decode(wanted.digest, 'hex') AND joinable_at IS NOT NULL LIMIT 1
    ) g`,
});
