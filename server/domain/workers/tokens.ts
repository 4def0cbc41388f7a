import type { WorkerTokenModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { getSecretPrefix, hashSecret, newSecret } from "../keys/secret";

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
