import type { Queryable } from "../../db/client";
import { reencryptSlackUrls } from "../alerts";
import { reencryptRecoveryKeys, reencryptTotp } from "../factors";
import { reencryptEndUserKey } from "../labels";
import { operate, type Operator } from "../operator-actions";
import { reencryptWebhookSecrets } from "../webhook-secrets";
import { reencryptResponses } from "../responses";
import type { Reencryption } from "../../lib/reencryption";
import type { OperationsHub } from "./hub";

interface ReencryptedSecrets {
  /** How many values were encrypted anew with the hub's secret. */
  changed: number;
  /** How many values neither secret decrypts. */
  unreadable: number;
}

/**
 * Encrypts with the hub's secret all stored values that the previous secret encrypted, so that the previous one can be
 * removed. Running it again changes nothing.
 */
export async function reencryptSecrets(hub: OperationsHub, operator: Operator): Promise<ReencryptedSecrets> {
  const responses = await reencryptResponses(hub, true);
  let counts: ReencryptedSecrets = { changed: 0, unreadable: 0 };
  await operate(hub, operator, { action: "secret.re-encrypt", target: { kind: "hub", id: "hub" } }, async (tx) => {
    counts = await reencryptAll(tx, hub, responses);
    return counts.changed === 0 ? null : { before: null, after: { ...counts }, result: counts };
  });
  return counts;
}

/** Counts the values that the previous secret still encrypts, and changes nothing. */
export async function countStaleSecrets(hub: OperationsHub): Promise<ReencryptedSecrets> {
  const undo = new Error("only counted");
  const responses = await reencryptResponses(hub, false);
  let counts: ReencryptedSecrets = { changed: 0, unreadable: 0 };
  try {
    await hub.db.transaction(async (tx) => {
      counts = await reencryptAll(tx, hub, responses);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return counts;
}

async function reencryptAll(tx: Queryable, hub: OperationsHub, responses: Reencryption): Promise<ReencryptedSecrets> {
  const results = [
    responses,
    await reencryptWebhookSecrets(tx, hub),
    await reencryptSlackUrls(tx, hub),
    await reencryptTotp(tx, hub),
    await reencryptRecoveryKeys(tx, hub),
    await reencryptEndUserKey(tx, hub),
  ];
  return {
    changed: results.reduce((sum, { changed }) => sum + changed, 0),
    unreadable: results.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
}
