import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";
import { Pool } from "undici";
import { createBatcher } from "../server/lib/batch";
import { createConcurrencyLimit } from "../server/lib/concurrency-limit";
import { newId } from "../server/lib/id";
import { serveParent } from "./serve-parent";

// The least that a relay with money can do for a chat: look up the key and hold an amount, call the provider, settle.
// Concurrent requests share each of the two statements, and both are on the disk before anything is answered. Without a
// DATABASE_URL it only relays.
const HOLD = 1_000_000;
const COST = 30_000;

const holdSql = `
  WITH claim AS (SELECT * FROM json_to_recordset($1::json) AS row (id uuid, key text)),
  locked AS MATERIALIZED (
    SELECT id, key FROM bare_account WHERE key IN (SELECT key FROM claim) ORDER BY id FOR NO KEY UPDATE
  ),
  held AS (
    UPDATE bare_account a SET reserved = a.reserved + sums.amount
    FROM (SELECT locked.id, count(*) * ${HOLD} AS amount FROM claim JOIN locked USING (key) GROUP BY 1) sums
    WHERE a.id = sums.id AND a.balance - a.reserved >= sums.amount RETURNING a.id, a.key
  )
  INSERT INTO bare_chat (id, account_id, held) SELECT claim.id, held.id, ${HOLD} FROM claim JOIN held USING (key)
  RETURNING id`;

const settleSql = `
  WITH ended AS (
    UPDATE bare_chat c SET cost = row.cost FROM json_to_recordset($1::json) AS row (id uuid, cost bigint)
    WHERE c.id = row.id AND c.cost IS NULL RETURNING c.id, c.account_id, c.held, c.cost
  ),
  locked AS MATERIALIZED (
    SELECT id FROM bare_account WHERE id IN (SELECT account_id FROM ended) ORDER BY id FOR NO KEY UPDATE
  ),
  paid AS (
    UPDATE bare_account a SET reserved = a.reserved - sums.held, balance = a.balance - sums.cost
    FROM (SELECT account_id, sum(held)::bigint AS held, sum(cost)::bigint AS cost FROM ended GROUP BY 1) sums
    JOIN locked ON locked.id = sums.account_id
    WHERE a.id = locked.id
  )
  SELECT id FROM ended`;

const upstream = new Pool(new URL(process.env.UPSTREAM!).origin, { connections: 1_024 });
const ledger = process.env.DATABASE_URL ? createLedger(process.env.DATABASE_URL) : null;

function createLedger(connectionString: string) {
  // A connection for each statement, so that holds and settlements overlap.
  const createStatement = <I extends { id: string }>(name: string, text: string) => {
    // The tables have no statistics, so Postgres would not choose the indexes itself.
    const client = new pg.Client({ connectionString, options: "-c enable_seqscan=off -c enable_hashjoin=off" });
    const connected = client.connect();
    const runBatch = async (items: I[]) => {
      await connected;
      const { rows } = await client.query<{ id: string }>({ name, text, values: [JSON.stringify(items)] });
      const ids = new Set(rows.map(({ id }) => id));
      return items.map(({ id }) => ids.has(id));
    };
    return createBatcher<I, boolean>(runBatch, { limiter: createConcurrencyLimit(1) });
  };
  return {
    hold: createStatement<{ id: string; key: string }>("hold", holdSql),
    settle: createStatement<{ id: string; cost: number }>("settle", settleSql),
  };
}

async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as object;
  const id = newId();
  const key = request.headers.authorization!.slice("Bearer ".length);
  if (ledger && !(await ledger.hold({ id, key }))) throw new Error("not held");
  const answer = await upstream.request({
    method: "POST",
    path: new URL(process.env.UPSTREAM!).pathname,
    headers: { "content-type": "application/json", authorization: "Bearer k" },
    body: JSON.stringify(body),
  });
  const completion = (await answer.body.json()) as object;
  if (ledger && !(await ledger.settle({ id, cost: COST }))) throw new Error("not settled");
  const text = JSON.stringify({ ...completion, id });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

serveParent((request, response) => {
  relay(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
