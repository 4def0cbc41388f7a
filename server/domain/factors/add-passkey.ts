import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { array, bytea, int4, int8, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { HUB_NAME } from "../../lib/hub-name";
import { newId } from "../../lib/id";
import { markVerified } from "../sessions";
import { type FactorCtx, lockFactors, sendFactorNotice } from "./factor";
import { consumeChallenge, loadWebauthn, passkeySite, storeChallenge } from "./passkey";
import { createMissingCodes } from "./recovery-code";

const MAX_PASSKEYS = 20;
const MAX_TRANSPORTS = 10;
/** The maximum of WebAuthn, which a constraint repeats. */
const MAX_CREDENTIAL_ID_BYTES = 1_023;

/** Returns the options with which a browser creates a passkey for the person. */
export async function startPasskey(ctx: FactorCtx) {
  const { hub, person } = ctx;
  const existing = await selectCredentials(hub.db, person.id);
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: HUB_NAME,
    rpID: passkeySite(hub).id,
    userName: person.email,
    userDisplayName: person.email,
    userID: new TextEncoder().encode(`person ${person.id}`),
    attestationType: "none",
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id.toString("base64url") })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
  await storeChallenge(ctx, "add", options.challenge);
  return options;
}

/**
 * Adds the passkey that a browser created, and returns recovery codes if the person has none. Throws a 400 for an invalid
 * passkey, and a 409 if it was added before, the person has too many, or the challenge has expired.
 */
export async function addPasskey(
  ctx: FactorCtx,
  { response, name }: { response: RegistrationResponseJSON; name: string },
): Promise<{ recovery_codes: string[] | null }> {
  const { hub, person, sessionId } = ctx;
  const { id, publicKey, counter } = await readCredential(ctx, response);
  const added = await hub.db
    .transaction(async (tx) => {
      await lockFactors(tx, ctx);
      const [passkey] = await insertPasskey(
        tx,
        newId(),
        person.id,
        name,
        Buffer.from(id, "base64url"),
        Buffer.from(publicKey),
        BigInt(counter),
        (response.response.transports ?? []).slice(0, MAX_TRANSPORTS),
        hub.now(),
      );
      if (!passkey) throw new AppError("invalid_state", `You can have at most ${MAX_PASSKEYS} passkeys.`);
      await markVerified(tx, sessionId, hub.now());
      return { recovery_codes: await createMissingCodes(tx, ctx) };
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw new AppError("invalid_state", "This passkey was added before.");
      throw error;
    });
  sendFactorNotice(ctx, `The passkey “${name}” was added to your account.`);
  return added;
}

/** Returns the credential of a browser's response. Throws a 400 unless it answers the session's challenge. */
async function readCredential(ctx: FactorCtx, response: RegistrationResponseJSON) {
  const expectedChallenge = await consumeChallenge(ctx, "add");
  const { id, origin } = passkeySite(ctx.hub);
  const webauthn = await loadWebauthn();
  try {
    rejectCertificates(webauthn, response.response.attestationObject);
    const { registrationInfo } = await webauthn.verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    // This id comes from the attestation, whose length the schema does not limit.
    const { credential } = registrationInfo ?? {};
    if (credential && Buffer.from(credential.id, "base64url").length <= MAX_CREDENTIAL_ID_BYTES) return credential;
  } catch (error) {
    ctx.hub.log.info({ err: error }, "passkey rejected");
  }
  throw invalidInput("passkey", "Your browser’s passkey is not valid here. Try again.");
}

/**
 * Throws for an attestation with certificates. None was requested, and verifying it would fetch URLs that it contains.
 */
function rejectCertificates(
  { decodeAttestationObject, isoBase64URL }: Awaited<ReturnType<typeof loadWebauthn>>,
  attestationObject: string,
): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get("fmt");
  const isPlain = format === "none" || (format === "packed" && !attestation.get("attStmt").get("x5c"));
  if (!isPlain) throw new Error(`an attestation of the format ${String(format)} was not requested`);
}

const selectCredentials = statement({
  params: [int4],
  row: { credential_id: bytea },
  text: "SELECT credential_id FROM passkey WHERE person_id = $1 ORDER BY id",
});

const insertPasskey = statement({
  params: [uuid, int4, text, bytea, bytea, int8, array(text), timestamptz],
  row: { id: uuid },
  text: `
    INSERT INTO passkey (id, person_id, name, credential_id, public_key, counter, transports, created_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8
    WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) < ${MAX_PASSKEYS} RETURNING id`,
});
