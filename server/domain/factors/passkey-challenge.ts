import { text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import type { FactorCtx } from "./factor";

const CHALLENGE_TTL_MS = 5 * 60_000;

/** What a challenge is signed for. */
type Purpose = "add" | "verify";

/** Stores what a passkey has to sign in this session; the one before is void. */
export async function storeChallenge(
  { hub, sessionId }: FactorCtx,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  const expiresAt = new Date(hub.now().getTime() + CHALLENGE_TTL_MS);
  await upsertChallenge(hub.db, sessionId, purpose, challenge, expiresAt);
}

/** Returns the challenge of this session, which is used up whatever comes of it. Throws a 409 when there is none. */
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
