import type { WorkerTokenModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { hashSecret, newSecret, getSecretPrefix } from "../keys/secret";

/** Inserts a worker token. `token` is its secret, which cannot be read again. Throws a 400 when the name is in use. */
export async function createToken(hub: Hub, name: string): Promise<{ record: WorkerTokenModel; token: string }> {
  const token = newSecret("wk");
  const hash = new Uint8Array(hashSecret(token));
  const data = { id: newId(), name, prefix: getSecretPrefix(token), hash, createdAt: hub.now() };
  const { count } = await hub.db.prisma.workerToken.createMany({ data, skipDuplicates: true });
  if (count === 0) throw invalidInput("name", "is in use by an active token: revoke it first, or choose another name");
  return { record: { ...data, revokedAt: null }, token };
}
