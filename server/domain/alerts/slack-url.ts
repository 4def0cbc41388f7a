import type { Queryable } from "../../db/client";
import { bytea, int4, int8Number, notNull } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import { checkUrl, isOutboundError } from "../../lib/safe-fetch";
import { deriveKeys, type Secrets } from "../../lib/signature";
import type { AlertServices, AlertsHub } from "./hub";

/** Returns the services of alerts. */
export const createAlertServices = (secrets: Secrets): AlertServices => ({
  alertKeys: deriveKeys(secrets, "generation-hub alert URLs"),
});

/** Encrypts the URL of an account. Throws a 400 for one that is not https, not public or not resolvable. */
export async function encryptSlackUrl(hub: AlertsHub, accountId: number, url: string): Promise<Buffer> {
  await checkUrl(url, { schemes: ["https:"], allowHosts: hub.env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
    throw isOutboundError(error) ? invalidInput("slack_url", error.message) : error;
  });
  return encrypt(hub.services.alertKeys[0]!, String(accountId), url);
}

/** Returns the URL of an account; null if neither HUB_SECRET nor HUB_SECRET_PREVIOUS encrypted it. */
export function decryptSlackUrl(hub: AlertsHub, accountId: number, encrypted: Buffer): string | null {
  try {
    return decryptByAny(hub.services.alertKeys, String(accountId), encrypted);
  } catch (error) {
    hub.log.error({ err: error, account: accountId }, "Slack URL not decrypted");
    return null;
  }
}

const BATCH_SIZE = 500;

/** Encrypts the URLs of all accounts again, with the key of the current HUB_SECRET. */
export async function reencryptSlackUrls(
  tx: Queryable,
  { services }: Pick<AlertsHub, "services">,
): Promise<Reencryption> {
  const result = newReencryption();
  for (let after = 0; ;) {
    const rows = await selectBatch(tx, after, BATCH_SIZE);
    for (const { account_id: id, slack_url } of rows) {
      const encrypted = reencrypt(result, services.alertKeys, String(id), slack_url);
      if (encrypted) await updateUrl(tx, id, encrypted);
    }
    if (rows.length < BATCH_SIZE) return result;
    after = rows.at(-1)!.account_id;
  }
}

const selectBatch = statement({
  params: [int4, int8Number],
  row: { account_id: int4, slack_url: notNull(bytea) },
  text: `
    SELECT account_id, slack_url FROM alert_setting WHERE account_id > $1 AND slack_url IS NOT NULL
    ORDER BY account_id LIMIT $2 FOR UPDATE`,
});

const updateUrl = statement({
  params: [int4, bytea],
  row: {},
  text: "UPDATE alert_setting SET slack_url = $2 WHERE account_id = $1",
});
