import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type FactorCtx, lockFactors, sendFactorNotice, settleRemoval } from "./factor";
import type { FactorsHub } from "./hub";

/** Returns the WebAuthn library with its parsers of certificates, which a hub without passkeys need not load. */
export const loadWebauthn = async () => ({
  ...(await import("@simplewebauthn/server")),
  ...(await import("@simplewebauthn/server/helpers")),
});

/** Returns the site that passkeys belong to: the hub's public address. */
export function passkeySite(hub: FactorsHub): { id: string; origin: string } {
  const { hostname, origin } = new URL(hub.env.BASE_URL);
  return { id: hostname, origin };
}

const notFound = () => new AppError("resource_not_found", "This passkey was removed.");

/** Renames a passkey. Throws a 404 for one that is not the person's. */
export async function renamePasskey({ hub, person }: FactorCtx, id: string, name: string): Promise<void> {
  const [renamed] = isId(id) ? await updateName(hub.db, id, person.id, name) : [];
  if (!renamed) throw notFound();
}

/** Removes a passkey. Throws a 404 for one that is not the person's, and a 409 if it is the last factor and one is required. */
export async function removePasskey(ctx: FactorCtx, id: string): Promise<void> {
  const name = await ctx.hub.db.transaction(async (tx) => {
    await lockFactors(tx, ctx);
    const [removed] = isId(id) ? await deletePasskey(tx, id, ctx.person.id) : [];
    if (!removed) throw notFound();
    await settleRemoval(tx, ctx);
    return removed.name;
  });
  sendFactorNotice(ctx, `The passkey “${name}” was removed from your account.`);
}

const updateName = statement({
  params: [uuid, int4, text],
  row: { id: uuid },
  text: "UPDATE passkey SET name = $3 WHERE id = $1 AND person_id = $2 RETURNING id",
});

const deletePasskey = statement({
  params: [uuid, int4],
  row: { name: text },
  text: "DELETE FROM passkey WHERE id = $1 AND person_id = $2 RETURNING name",
});

const CHALLENGE_TTL_MS = 5 * 60_000;

/** Why a passkey signs a challenge. */
type Purpose = "add" | "verify";

/** Stores the challenge that a passkey has to sign in this session, in place of an earlier one. */
export async function storeChallenge(
  { hub, sessionId }: FactorCtx,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  const expiresAt = new Date(hub.now().getTime() + CHALLENGE_TTL_MS);
  await upsertChallenge(hub.db, sessionId, purpose, challenge, expiresAt);
}

/** Deletes and returns the challenge of this session. Throws a 409 if there is none or it has expired. */
export async function consumeChallenge({ hub, sessionId }: FactorCtx, purpose: Purpose): Promise<string> {
  const [found] = await deleteChallenge(hub.db, sessionId, purpose);
  if (!found || found.expires_at <= hub.now())
    throw new AppError("invalid_state", "This took too long, or was done before. Try again.");
  return found.challenge;
}

const upsertChallenge = statement({
  params: [uuid, text, text, timestamptz],
  row: {},
  text: `
    INSERT INTO passkey_challenge (session_id, purpose, challenge, expires_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (session_id, purpose) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
});

const deleteChallenge = statement({
  params: [uuid, text],
  row: { challenge: text, expires_at: timestamptz },
  text: "DELETE FROM passkey_challenge WHERE session_id = $1 AND purpose = $2 RETURNING challenge, expires_at",
});
