import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { array, bytea, int4, int8, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { markVerified } from "../sessions";
import type { FactorCtx } from "./factor";
import { consumeChallenge, loadWebauthn, passkeySite, storeChallenge } from "./passkey";

/** Returns the options with which a browser asks for one of the person's passkeys. Throws a 409 if there is none. */
export async function startVerification(ctx: FactorCtx) {
  const { hub, person } = ctx;
  const passkeys = await selectPasskeys(hub.db, person.id);
  if (passkeys.length === 0) throw new AppError("invalid_state", "You have no passkey. Use another way.");
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: passkeySite(hub).id,
    userVerification: "required",
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString("base64url"),
      transports,
    })),
  });
  await storeChallenge(ctx, "verify", options.challenge);
  return options;
}

/**
 * Verifies a session by a passkey. Throws a 400 if it is not the person's, did not sign the session's challenge or its
 * counter went back, and a 409 if the challenge has expired.
 */
export async function usePasskey(ctx: FactorCtx, response: AuthenticationResponseJSON): Promise<void> {
  const { hub, person, sessionId } = ctx;
  const challenge = await consumeChallenge(ctx, "verify");
  const passkeys = await selectPasskeys(hub.db, person.id);
  const passkey = passkeys.find(({ credential_id }) => credential_id.toString("base64url") === response.id);
  const counter = passkey ? await readCounter(ctx, passkey, challenge, response) : null;
  const isUsed =
    counter !== null &&
    (await hub.db.transaction(async (tx) => {
      const [used] = await advanceCounter(tx, passkey!.id, BigInt(counter), hub.now());
      if (used) await markVerified(tx, sessionId, hub.now());
      return used !== undefined;
    }));
  if (!isUsed) throw invalidInput("passkey", "This passkey was not accepted. Try again, or use another way.");
}

/** Returns the new counter of a passkey; null if it did not sign the challenge or its counter went back. */
async function readCounter(
  { hub }: FactorCtx,
  passkey: RowOf<typeof columns>,
  expectedChallenge: string,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { id, origin } = passkeySite(hub);
  const credential = {
    id: response.id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: Number(passkey.counter),
    transports: passkey.transports,
  };
  const { verifyAuthenticationResponse } = await loadWebauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential,
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    hub.log.info({ err: error }, "passkey rejected");
    return null;
  }
}

const columns = { id: uuid, credential_id: bytea, public_key: bytea, counter: int8, transports: array(text) };

const selectPasskeys = statement({
  params: [int4],
  row: columns,
  text: `
    SELECT id, credential_id, public_key, counter, transports FROM passkey WHERE person_id = $1 ORDER BY id`,
});

// A counter that does not advance reveals a copy of the passkey. Passkeys without a counter always send zero.
const advanceCounter = statement({
  params: [uuid, int8, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE passkey SET counter = $2, last_used_at = $3
    WHERE id = $1 AND (counter < $2 OR counter = 0 AND $2 = 0) RETURNING id`,
});
