import type { Ctx } from "../../context";
import { int4, nullable, text, timestamptz, uuid, voidResult } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { credentialKindOf, forCredentialKinds, getCredentialId } from "../accounts";
import { callerSql } from "../accounts/sql";
import type { EventName } from "../events";
import { insertSigningSecret } from "../webhook-secrets";
import { checkCaller, checkEndpointUrl } from "./create";
import type { EndpointsHub } from "./hub";

/** The webhook of one generation, as its row has it. */
export interface OwnWebhook {
  /** The endpoint of its host. */
  endpoint_id: string;
  url: string;
  events: EventName[];
}

export type OwnWebhookRequest = Pick<OwnWebhook, "url"> & Partial<Pick<OwnWebhook, "events">>;

/** How many hosts the own webhooks of an account may have within `HOST_RETENTION_DAYS`. */
export const MAX_HOSTS = 100;

/** For how long a host is stored after the last generation that named it, and after its last delivery. */
export const HOST_RETENTION_DAYS = 30;

/**
 * Returns the webhook of a new generation, for its row. The endpoint of its host is created at first use, and so is the
 * account's signing secret. Throws 400 at `webhook.url` like `createEndpoint`, and for the 101st host.
 */
export async function openOwnWebhook(
  ctx: Ctx<EndpointsHub>,
  { url, events = ["generation.completed"] }: OwnWebhookRequest,
): Promise<OwnWebhook> {
  await checkEndpointUrl(ctx.hub, url, "webhook.url");
  return { endpoint_id: await openHost(ctx, new URL(url).origin), url, events };
}

/**
 * Returns the webhook of an earlier generation for one that continues it, for its row. Its host is created again if it was
 * forgotten since; one that was revoked stays revoked, and receives nothing. The URL is not checked here, because every
 * delivery checks it. Throws 400 at `webhook.url` for the 101st host.
 */
export async function reopenOwnWebhook(ctx: Ctx<EndpointsHub>, webhook: OwnWebhook): Promise<OwnWebhook> {
  const [revoked] = await selectRevoked(ctx.hub.db, webhook.endpoint_id, ctx.account.id);
  return revoked ? webhook : { ...webhook, endpoint_id: await openHost(ctx, new URL(webhook.url).origin) };
}

const selectRevoked = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "SELECT id FROM endpoint WHERE id = $1 AND account_id = $2 AND revoked_at IS NOT NULL",
});

async function openHost(ctx: Ctx<EndpointsHub>, origin: string): Promise<string> {
  const { hub, account, actor } = ctx;
  const [known] = await selectHostOfToday(hub.db, account.id, origin, hub.now());
  if (known) return known.id;
  const host = await hub.db.transaction(async (tx) => {
    await lockHosts(tx, account.id);
    const insert = insertHost[credentialKindOf(actor)];
    const [row] = await insert(tx, account.id, newId(), origin, hub.now(), getCredentialId(actor));
    if (row) await insertSigningSecret(hub, tx, account.id);
    return row;
  });
  if (host) return host.id;
  await checkCaller(ctx);
  throw invalidInput(
    "webhook.url",
    `is at another host than the ${MAX_HOSTS} that this account's generations used in the last ${HOST_RETENTION_DAYS} days; ` +
      "use one of these, or add a webhook for all generations (POST /api/v1/hub/webhooks)",
  );
}

const selectHostOfToday = statement({
  params: [int4, text, timestamptz],
  row: { id: uuid },
  text: `
    SELECT id FROM endpoint
    WHERE account_id = $1 AND url = $2 AND position IS NULL AND revoked_at IS NULL AND used_at > $3::timestamptz - interval '1 day'`,
});

/** Makes the transaction the only one that adds hosts to the account `$1`, so that it can count them. */
const lockHosts = statement({
  params: [int4],
  row: { locked: voidResult },
  text: "SELECT pg_advisory_xact_lock(hashtextextended('hosts of account ' || $1::int, 0)) AS locked",
});

const insertHost = forCredentialKinds((kind) =>
  statement({
    params: [int4, uuid, text, timestamptz, nullable(uuid)],
    row: { id: uuid },
    text: `
      WITH ${callerSql(kind, "$1", "$5")},
      other AS (
        SELECT FROM endpoint WHERE account_id = $1 AND position IS NULL AND revoked_at IS NULL AND url <> $3
      )
      INSERT INTO endpoint (id, account_id, url, used_at, created_at)
      SELECT $2, caller.id, $3, $4, $4 FROM caller WHERE (SELECT count(*) FROM other) < ${MAX_HOSTS}
      ON CONFLICT (account_id, url) WHERE position IS NULL AND revoked_at IS NULL DO UPDATE SET used_at = excluded.used_at
      RETURNING id`,
  }),
);
