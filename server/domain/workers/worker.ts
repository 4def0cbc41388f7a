import type { WorkerTokenModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { bytea, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { hashSecret, isSecret, getSecretPrefix, newSecret } from "../keys/secret";

/** An external worker with a token, or the in-process worker, which has none. */
export interface Worker {
  tokenId: string | null;
  name: string;
}

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

/** Inserts a worker token. `token` is its secret, which cannot be read again. Throws a 400 when the name is in use. */
export async function createToken(hub: Hub, name: string): Promise<{ record: WorkerTokenModel; token: string }> {
  const token = newSecret("wk");
  const hash = new Uint8Array(hashSecret(token));
  const data = { id: newId(), name, prefix: getSecretPrefix(token), hash, createdAt: hub.now() };
  const { count } = await hub.db.prisma.workerToken.createMany({ data, skipDuplicates: true });
  if (count === 0) throw invalidInput("name", "is in use by an active token: revoke it first, or choose another name");
  return { record: { ...data, revokedAt: null }, token };
}

/** Returns all worker tokens without their hashes, newest first. */
export const listTokens = (hub: Hub) =>
  hub.db.prisma.workerToken.findMany({ orderBy: { id: "desc" }, omit: { hash: true } });

/** Revokes the active token with this name: its next request is rejected, and its leases expire. Throws a 404 when there is none. */
export async function revokeToken(hub: Hub, name: string): Promise<void> {
  const where = { name, revokedAt: null };
  const { count } = await hub.db.prisma.workerToken.updateMany({ where, data: { revokedAt: hub.now() } });
  if (count === 0) throw new AppError("resource_not_found", `There is no active worker token named ${name}.`);
}
