import type { ApiKeyModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { newId } from "../../lib/id";
import { hashSecret, newSecret, prefixOf } from "./secret";

export interface KeyRequest {
  name: string;
  requireIdempotency?: boolean;
  expiresAt?: Date | null;
}

/** Makes an API key. `key` is its secret, which nobody can read again. */
export async function createKey(
  hub: Hub,
  accountId: number,
  request: KeyRequest,
): Promise<{ record: ApiKeyModel; key: string }> {
  const key = newSecret();
  const record = await hub.db.prisma.apiKey.create({
    data: {
      ...request,
      id: newId(),
      accountId,
      prefix: prefixOf(key),
      hash: new Uint8Array(hashSecret(key)),
      createdAt: hub.now(),
    },
  });
  return { record, key };
}
