import { bytea, int4, int8Number, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { encrypt } from "../../lib/encryption";
import { newReencryption, type Reencryption } from "../../lib/reencryption";
import { NIL_ID } from "../../lib/id";
import type { ResponsesHub } from "./hub";
import { resealReasoning } from "./reasoning";
import { openText, ownerOf, type Part } from "./stored-response";

/** A response has up to 8 MiB. */
const BATCH_SIZE = 8;

interface StoredRow {
  id: string;
  accountId: number;
  input: Buffer;
  answer: Buffer;
}

/**
 * Encrypts all stored responses, and the reasoning in them, with the hub's secret, or only counts them. There may be
 * gigabytes, so each is written separately. A response that no secret opens is treated like an expired one, and is not
 * counted.
 */
export async function reencryptResponses(hub: ResponsesHub, writes: boolean): Promise<Reencryption> {
  const result = newReencryption();
  // Without a previous secret there is nothing to open.
  if (hub.services.responseKeys.length === 1) return result;
  for (let after = NIL_ID; ;) {
    const rows = await selectBatch(hub.db, after, BATCH_SIZE);
    for (const row of rows) {
      const input = renewPart(hub, row, "input");
      const answer = renewPart(hub, row, "answer");
      result.changed += Number(input !== null) + Number(answer !== null);
      if (writes && (input || answer)) await updateParts(hub.db, row.id, input ?? row.input, answer ?? row.answer);
    }
    if (rows.length < BATCH_SIZE) return result;
    after = rows.at(-1)!.id;
  }
}

/** Returns a part encrypted with the hub's secret; null if it is already, or if no secret opens it. */
function renewPart(hub: ResponsesHub, { id, accountId, ...parts }: StoredRow, part: Part): Buffer | null {
  const keys = hub.services.responseKeys;
  const owner = ownerOf(accountId, id, part);
  const text = openText(keys, owner, parts[part]);
  if (text === null) return null;
  // A client may have sent reasoning from before in a later request.
  const renewed = resealReasoning({ hub, account: { id: accountId } }, text);
  const isCurrent = renewed === text && openText(keys.slice(0, 1), owner, parts[part]) !== null;
  return isCurrent ? null : encrypt(keys[0]!, owner, renewed);
}

const selectBatch = statement({
  params: [uuid, int8Number],
  row: { id: uuid, accountId: int4, input: bytea, answer: bytea },
  text: `
    SELECT generation_id AS id, account_id AS "accountId", input, answer FROM response
    WHERE generation_id > $1 ORDER BY generation_id LIMIT $2`,
});

const updateParts = statement({
  params: [uuid, bytea, bytea],
  row: {},
  text: "UPDATE response SET input = $2, answer = $3 WHERE generation_id = $1",
});
