import type { Hub } from "../../context";
import { bytea, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { hashSecret, isSecret } from "../keys/secret";
import type { Worker } from "./worker";

/** Returns the worker of a token; null when it is unknown or revoked. Queried on every request, as for API keys. */
export async function authenticateWorker(hub: Hub, secret: string): Promise<Worker | null> {
  if (!isSecret(secret, "wk")) return null;
  const [row] = await selectToken(hub.db, hashSecret(secret));
  return row ? { tokenId: row.id, name: row.name } : null;
}

const selectToken = statement({
  params: [bytea],
  row: { id: uuid, name: text },
  text: "SELECT id, name FROM worker_token WHERE hash = $1 AND revoked_at IS NULL",
});
