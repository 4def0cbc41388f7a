import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

interface Changes {
  counter?: number;
  /** Whether the device has checked who uses it. */
  isVerified?: boolean;
  origin?: string;
  /** The host for which it signs. */
  site?: string;
  /** The attestation's format. */
  format?: string;
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const FLAGS = { present: 1, verified: 4, attested: 64 };

/** Returns a passkey in software, for a site with this origin: what a browser and its authenticator do together. */
export function createTestPasskey(ownOrigin: string, idBytes = 16) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(idBytes);
  let signed = 0;

  const clientDataOf = (type: string, challenge: string, { origin = ownOrigin }: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const dataOf = (flags: number, { counter, isVerified = true, site = new URL(ownOrigin).hostname }: Changes) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? (signed += 1));
    return Buffer.concat([sha256(site), Buffer.of(flags | FLAGS.present | (isVerified ? FLAGS.verified : 0)), count]);
  };

  const shared = {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key" as const,
    clientExtensionResults: {},
  };

  return {
    /** Answers the options of a new passkey. */
    register({ challenge }: { challenge: string }, changes: Changes = {}): RegistrationResponseJSON {
      const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]);
      const attested = [
        Buffer.alloc(16),
        Buffer.of(id.length >> 8, id.length & 255),
        id,
        Buffer.from(isoCBOR.encode(key)),
      ];
      const authData = Buffer.concat([dataOf(FLAGS.attested, { counter: 0, ...changes }), ...attested]);
      const attestation = new Map<string, unknown>([
        ["fmt", changes.format ?? "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      const encoded = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]);
      return {
        ...shared,
        response: {
          clientDataJSON: clientDataOf("webauthn.create", challenge, changes).toString("base64url"),
          attestationObject: Buffer.from(encoded).toString("base64url"),
          transports: ["internal"],
        },
      };
    },

    /** Answers the options of a sign-in. */
    sign({ challenge }: { challenge: string }, changes: Changes = {}): AuthenticationResponseJSON {
      const clientData = clientDataOf("webauthn.get", challenge, changes);
      const authData = dataOf(0, changes);
      const signature = createSign("sha256").update(authData).update(sha256(clientData)).sign(privateKey);
      return {
        ...shared,
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
}
