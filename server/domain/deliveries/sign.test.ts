import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { verifyWithEach, verifyEverywhere } from "../../../test/webhooks/verify";
import { newId } from "../../lib/id";
import { newWebhookSecret } from "../webhook-secrets/secret";
import { signatureHeaders } from "./sign";

const secret = newWebhookSecret();
const body = '{"id":"…","data":{"prompt":"grüß 🌲"}}';
const message = { id: newId(), event: "generation.completed", body, at: new Date() };
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const headers = lower(signatureHeaders([secret], message));

test("secrets are unique and have whsec_ and 32 bytes in padded base64", () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(Array.from({ length: 100 }, newWebhookSecret)).size).toBe(100);
});

test("the header of the specification is keyed by the secret's whole text", () => {
  const hex = createHmac("sha256", Buffer.from(secret, "utf8")).update(Buffer.from(body)).digest("hex");
  expect(headers).toMatchObject({
    "x-service-event": "generation.completed",
    "x-service-delivery": message.id,
    "x-service-signature": `sha256=${hex}`,
    "webhook-id": message.id,
    "webhook-timestamp": String(Math.floor(message.at.getTime() / 1000)),
  });
});

test("independent verifiers accept the signature", () => verifyEverywhere(secret, headers, Buffer.from(body)));

test("independent verifiers reject a flipped bit in the body, the secret or a signature", async () => {
  const none = { octokit: false, standardwebhooks: false, svix: false };
  const bytes = Buffer.from('{"a":"plain text"}');
  const signed = lower(signatureHeaders([secret], { ...message, body: bytes.toString() }));
  await verifyEverywhere(secret, signed, bytes);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    // The highest bit is left alone, because flipping it makes invalid UTF-8 instead of different text.
    if ((bit & 7) === 7) continue;
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(await verifyWithEach(secret, signed, flipped)).toEqual(none);
  }
  expect(await verifyWithEach(newWebhookSecret(), signed, bytes)).toEqual(none);
  const wrong = signatureHeaders([newWebhookSecret()], { ...message, body: bytes.toString() });
  expect(await verifyWithEach(secret, lower(wrong), bytes)).toEqual(none);
});

test("with two secrets both sign", async () => {
  const old = newWebhookSecret();
  const both = lower(signatureHeaders([secret, old], message));
  await verifyEverywhere(secret, both, Buffer.from(body));
  const previous = { ...both, "x-service-signature": both["x-service-signature-previous"] };
  await verifyEverywhere(old, previous, Buffer.from(body));
});
