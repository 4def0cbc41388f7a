import type { Ctx } from "../../context";
import { array, bytea, int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { checkUrl, isOutboundError } from "../../lib/safe-fetch";
import { callerSql, followEventsSql } from "../accounts/sql";
import { credentialKindOf, forCredentialKinds, getCredentialId, isCallerValid } from "../accounts";
import { type EventName, isMoneyEventName } from "../events";
import { listSecretRoles } from "../keys";
import { allowsRole, checkPermission } from "../people";
import { encryptWebhookSecret, newWebhookSecret } from "../webhook-secrets";
import { type Endpoint, endpointColumns, endpointSql } from "./endpoint";
import type { EndpointsHub } from "./hub";

/** The maximum number of active endpoints of an account. */
export const MAX_ENDPOINTS = 5;

/**
 * Creates an endpoint and returns its secret, which is not shown again (specification, section 4.6). Throws 400 for a
 * URL that is not https, not public or not resolvable, and for a sixth active endpoint; 403 like `checkMoneyEvents`.
 */
export async function createEndpoint(
  ctx: Ctx<EndpointsHub>,
  { url, events }: { url: string; events: EventName[] },
): Promise<{ endpoint: Endpoint; secret: string }> {
  await checkMoneyEvents(ctx, events);
  await checkEndpointUrl(ctx.hub, url, "url");
  const id = newId();
  const secret = newWebhookSecret();
  const encryptedSecret = encryptWebhookSecret(ctx.hub, id, secret);
  const endpoint = await insertAtFreePosition(ctx, { id, url, events, secret: encryptedSecret });
  if (!endpoint) await checkCaller(ctx);
  if (!endpoint) throw invalidInput("body", `An account can have ${MAX_ENDPOINTS} active webhooks. Revoke one first.`);
  return { endpoint, secret };
}

/** Throws a 400 at `place` for a URL to which the hub would not deliver now. */
export const checkEndpointUrl = (hub: EndpointsHub, url: string, place: string): Promise<void> =>
  checkUrl(url, { schemes: ["https:"], allowHosts: hub.env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
    throw isOutboundError(error) ? invalidInput(place, error.message) : error;
  });

/**
 * Throws a 403 when one of the events is about money and the actor may not see it. A key may see only what each person may see
 * who knows a valid secret of it: its owner and its previous owner. A key that the operator created may see everything.
 */
export async function checkMoneyEvents(ctx: Ctx<EndpointsHub>, events: readonly string[]): Promise<void> {
  if (!events.some(isMoneyEventName)) return;
  if (ctx.actor.kind !== "key") return checkPermission(ctx.actor, "billing");
  const roles = await listSecretRoles(ctx.hub, ctx.actor.id);
  if (roles.length > 0 && roles.every((role) => role === "operator" || (role !== null && allowsRole(role, "billing"))))
    return;
  throw new AppError(
    "unauthorized",
    "Events about money need the API key of somebody who may see the account’s payments, such as an owner.",
    {},
    {},
    403,
  );
}

/** Throws a 401 if the credential was revoked, which may have happened while a host name was resolved. */
export async function checkCaller(ctx: Ctx<EndpointsHub>): Promise<void> {
  if (!(await isCallerValid(ctx))) throw new AppError("unauthorized", "This credential was revoked.");
}

type NewEndpoint = Pick<Endpoint, "id" | "url"> & { events: EventName[]; secret: Buffer };

/** Returns undefined when the account has the maximum number of endpoints or the credential is no longer valid. */
async function insertAtFreePosition(ctx: Ctx<EndpointsHub>, endpoint: NewEndpoint): Promise<Endpoint | undefined> {
  const { id, url, events, secret } = endpoint;
  const { hub, account, actor } = ctx;
  try {
    const insert = insertEndpoint[credentialKindOf(actor)];
    return (await insert(hub.db, id, account.id, url, events, secret, hub.now(), getCredentialId(actor)))[0];
  } catch (error) {
    // A concurrent request has taken the same position, so the next free one is tried.
    if (isUniqueViolation(error)) return insertAtFreePosition(ctx, endpoint);
    throw error;
  }
}

const insertEndpoint = forCredentialKinds((kind) =>
  statement({
    params: [uuid, int4, text, array(textOf<EventName>()), bytea, timestamptz, nullable(uuid)],
    row: endpointColumns,
    text: `
      WITH ${callerSql(kind, "$2", "$7")},
      free AS (
        SELECT position FROM generate_series(1, ${MAX_ENDPOINTS}) AS series (position)
        WHERE position NOT IN (SELECT e.position FROM endpoint e WHERE e.account_id = $2 AND e.position IS NOT NULL AND e.revoked_at IS NULL)
        ORDER BY position LIMIT 1
      ),
      ${followEventsSql("(SELECT id FROM caller)")}
      INSERT INTO endpoint (id, account_id, position, url, events, secret, created_at)
      SELECT $1, caller.id, position, $3, $4, $5, $6 FROM free CROSS JOIN caller
      RETURNING ${endpointSql}`,
  }),
);
