import type { Actor, Ctx } from "../../context";
import { isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { checkUrl, isOutboundError } from "../../lib/safe-fetch";
import { callerSql, getCredentialId, isCallerValid } from "../accounts/caller";
import { type Endpoint, endpointSql, type EventName } from "./endpoint";
import { newWebhookSecret, encryptWebhookSecret } from "./secret";

/** Active ones of an account. */
export const MAX_ENDPOINTS = 5;

/**
 * Makes an endpoint and answers its secret, this once (specification, section 4.6). 400 for an address that is not
 * https, not public or not known, and for a sixth active endpoint.
 */
export async function createEndpoint(
  ctx: Ctx,
  { url, events }: { url: string; events: EventName[] },
): Promise<{ endpoint: Endpoint; secret: string }> {
  await checkUrl(url, { schemes: ["https:"], allowHosts: ctx.env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
    throw isOutboundError(error) ? invalidInput("url", error.message) : error;
  });
  const id = newId();
  const secret = newWebhookSecret();
  const sealed = encryptWebhookSecret(ctx.hub, id, secret);
  const endpoint = await insert(ctx, [id, ctx.account.id, url, events, sealed, ctx.now(), getCredentialId(ctx.actor)]);
  // A name server may take its time, in which the owner took the account over.
  if (!endpoint && !(await isCallerValid(ctx))) throw new AppError("unauthorized", "This credential was revoked.");
  if (!endpoint) throw invalidInput("body", `an account can have ${MAX_ENDPOINTS} active endpoints; revoke one first`);
  return { endpoint, secret };
}

/** Null when no place is free. */
async function insert(ctx: Ctx, values: unknown[]): Promise<Endpoint | null> {
  try {
    const [row] = await ctx.db.query<Endpoint>(insertSql(ctx.actor), values);
    return row ?? null;
  } catch (error) {
    // Somebody took the same place in the same breath, so that now there is one less.
    if (isUniqueViolation(error)) return insert(ctx, values);
    throw error;
  }
}

const insertSql = (actor: Actor) => `
  WITH ${callerSql(actor, "$2", "$7")},
  free AS (
    SELECT place FROM generate_series(1, ${MAX_ENDPOINTS}) AS series (place)
    WHERE place NOT IN (SELECT e.place FROM endpoint e WHERE e.account_id = $2 AND e.revoked_at IS NULL)
    ORDER BY place LIMIT 1
  ),
  followed AS (UPDATE account SET follows_events = true FROM caller WHERE account.id = caller.id AND NOT follows_events)
  INSERT INTO endpoint (id, account_id, place, url, events, secret, created_at)
  SELECT $1, caller.id, place, $3, $4, $5, $6 FROM free CROSS JOIN caller
  RETURNING ${endpointSql}`;
