import type { Actor, Ctx } from "../../context";
import { isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { checkUrl, isOutboundError } from "../../lib/safe-fetch";
import { followEventsSql } from "../accounts/account-sql";
import { callerSql, getCredentialId, isCallerValid } from "../accounts/caller";
import type { EventName } from "../events/event-names";
import { type Endpoint, endpointSql } from "./endpoint";
import { newWebhookSecret, encryptWebhookSecret } from "./secret";

/** The maximum number of active endpoints of an account. */
export const MAX_ENDPOINTS = 5;

/**
 * Creates an endpoint and returns its secret, which is not shown again (specification, section 4.6). Throws 400 for a
 * URL that is not https, not public or not resolvable, and for a sixth active endpoint.
 */
export async function createEndpoint(
  ctx: Ctx,
  { url, events }: { url: string; events: EventName[] },
): Promise<{ endpoint: Endpoint; secret: string }> {
  await checkUrl(url, { schemes: ["https:"], allowHosts: ctx.hub.env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
    throw isOutboundError(error) ? invalidInput("url", error.message) : error;
  });
  const id = newId();
  const secret = newWebhookSecret();
  const encryptedSecret = encryptWebhookSecret(ctx.hub, id, secret);
  const endpoint = await insertEndpoint(ctx, [
    id,
    ctx.account.id,
    url,
    events,
    encryptedSecret,
    ctx.hub.now(),
    getCredentialId(ctx.actor),
  ]);
  // The credential may have been revoked while the URL's host name was resolved.
  if (!endpoint && !(await isCallerValid(ctx))) throw new AppError("unauthorized", "This credential was revoked.");
  if (!endpoint) throw invalidInput("body", `an account can have ${MAX_ENDPOINTS} active endpoints; revoke one first`);
  return { endpoint, secret };
}

/** Returns null when the account has the maximum number of endpoints or the credential is no longer valid. */
async function insertEndpoint(ctx: Ctx, values: unknown[]): Promise<Endpoint | null> {
  try {
    const [row] = await ctx.hub.db.query<Endpoint>(insertEndpointSql(ctx.actor), values);
    return row ?? null;
  } catch (error) {
    // A concurrent request has taken the same position, so the next free one is tried.
    if (isUniqueViolation(error)) return insertEndpoint(ctx, values);
    throw error;
  }
}

const insertEndpointSql = (actor: Actor) => `
  WITH ${callerSql(actor, "$2", "$7")},
  free AS (
    SELECT position FROM generate_series(1, ${MAX_ENDPOINTS}) AS series (position)
    WHERE position NOT IN (SELECT e.position FROM endpoint e WHERE e.account_id = $2 AND e.revoked_at IS NULL)
    ORDER BY position LIMIT 1
  ),
  ${followEventsSql("(SELECT id FROM caller)")}
  INSERT INTO endpoint (id, account_id, position, url, events, secret, created_at)
  SELECT $1, caller.id, position, $3, $4, $5, $6 FROM free CROSS JOIN caller
  RETURNING ${endpointSql}`;
