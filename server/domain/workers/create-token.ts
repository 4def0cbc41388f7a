import type { WorkerTokenModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { hashSecret, newSecret, getSecretPrefix } from "../keys/secret";

/** Makes a worker's token. `token` is its secret, which nobody can read again. 400 when an active one has the name. */
export async function createToken(hub: Hub, name: string): Promise<{ record: WorkerTokenModel; token: string }> {
  const token = newSecret("wk");
  const hash = new Uint8Array(hashSecret(token));
  const data = { id: newId(), name, prefix: getSecretPrefix(token), hash, createdAt: hub.now() };
  const { count } = await hub.db.prisma.workerToken.createMany({ data, skipDuplicates: true });
  if (count === 0) throw invalidInput("name", "is that of another active token: revoke it first, or take another name");
  return { record: { ...data, revokedAt: null }, token };
}
