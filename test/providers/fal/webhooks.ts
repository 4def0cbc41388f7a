import { createHash, generateKeyPairSync, sign } from "node:crypto";
import type { FalJob } from "./double";

export interface SignedWebhook {
  headers: Record<string, string>;
  body: Buffer;
}

export interface WebhookSigner {
  /** Returns a webhook about the end of a job, signed now or at another time. */
  signWebhook: (job: Pick<FalJob, "id" | "end">, at?: Date) => SignedWebhook;
  /** Signs with a new key from now on. */
  rotateKey: () => void;
  /** Returns the public keys: an old one, and the one in use. */
  buildKeySet: () => unknown;
}

/** Returns what signs webhooks as fal does. */
export function createWebhookSigner(): WebhookSigner {
  const createKey = () => generateKeyPairSync("ed25519");
  let [old, key] = [createKey(), createKey()];
  return {
    rotateKey: () => void ([old, key] = [key, createKey()]),
    buildKeySet: () => ({
      keys: [{ kty: "RSA", n: "1" }, ...[old, key].map(({ publicKey }) => publicKey.export({ format: "jwk" }))],
    }),
    signWebhook: ({ id, end }, at = new Date()) => {
      const { status = 200, body: payload } = end.result;
      const report = { request_id: id, gateway_request_id: id, payload };
      const error = status === 200 ? { status: "OK" } : { status: "ERROR", error: `Invalid status code: ${status}` };
      const body = Buffer.from(JSON.stringify({ ...report, ...error }));
      const digest = createHash("sha256").update(body).digest("hex");
      const signed = [id, "user-1", String(Math.floor(at.getTime() / 1000))];
      const signature = sign(null, Buffer.from([...signed, digest].join("\n")), key.privateKey).toString("hex");
      const names = ["x-fal-webhook-request-id", "x-fal-webhook-user-id", "x-fal-webhook-timestamp"];
      const own = Object.fromEntries(names.map((name, index) => [name, signed[index]!]));
      return { headers: { ...own, "x-fal-webhook-signature": signature }, body };
    },
  };
}
