import type { WorkerTokenModel } from "../../../prisma/client/models";
import { bytea, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { operate, type Operator } from "../operator-actions";
import { getSecretPrefix, hashSecret, isSecret, newSecret, parseTokenName } from "../credentials";
import type { WorkersHub } from "./hub";

/** An external worker with a token, or the in-process worker, which has none. */
export interface Worker {
  tokenId: string | null;
  name: string;
}

/** Returns the worker of a token; null when the token is unknown or revoked. Queries the database on every request. */
export async function authenticateWorker(hub: WorkersHub, secret: string): Promise<Worker | null> {
  if (!isSecret(secret, "wk")) return null;
  const [row] = await selectToken(hub.db, hashSecret(secret));
  return row ? { tokenId: row.id, name: row.name } : null;
}

const selectToken = statement({
  params: [bytea],
  row: { id: uuid, name: text },
  text: "SELECT id, name FROM worker_token WHERE hash = $1 AND revoked_at IS NULL",
});

/** Creates a worker token. `token` is its secret, which cannot be read again. Throws a 400 when the name is in use or invalid. */
export async function createToken(
  hub: WorkersHub,
  operator: Operator,
  sentName: string,
): Promise<{ record: Omit<WorkerTokenModel, "hash">; token: string }> {
  const name = parseTokenName(sentName);
  const token = newSecret("wk");
  const record = { id: newId(), name, prefix: getSecretPrefix(token), createdAt: hub.now(), revokedAt: null };
  const target = { kind: "worker-token", id: record.id };
  await operate(hub, operator, { action: "worker-token.create", target }, async (tx) => {
    const [created] = await insertToken(tx, record.id, name, record.prefix, hashSecret(token), record.createdAt);
    if (!created) throw invalidInput("name", "is in use by an active token: revoke it first, or choose another name");
    return { before: null, after: { name, prefix: record.prefix }, result: undefined };
  });
  return { record, token };
}

const insertToken = statement({
  params: [uuid, text, text, bytea, timestamptz],
  row: { id: uuid },
  text: `
    INSERT INTO worker_token (id, name, prefix, hash, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING RETURNING id`,
});

/** Returns all worker tokens without their hashes, newest first. */
export const listTokens = (hub: WorkersHub) =>
  hub.db.prisma.workerToken.findMany({ orderBy: { id: "desc" }, omit: { hash: true } });

/** Revokes the active token with this name: its requests are rejected, and its leases expire. Throws a 404 if there is none. */
export async function revokeToken(hub: WorkersHub, operator: Operator, name: string): Promise<void> {
  const action = { action: "worker-token.revoke", target: { kind: "worker-token", id: "" } };
  await operate(hub, operator, action, async (tx) => {
    const [revoked] = await updateRevoked(tx, name, hub.now());
    if (!revoked) throw new AppError("resource_not_found", `There is no active worker token named ${name}.`);
    return { before: { name }, after: null, target: { kind: "worker-token", id: revoked.id }, result: undefined };
  });
}

const updateRevoked = statement({
  params: [text, timestamptz],
  row: { id: uuid },
  text: "UPDATE worker_token SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL RETURNING id",
});
