import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { getSigningSecret, rotateSigningSecret } from "../../server/domain/webhook-secrets/signing-secret";
import { decryptWebhookSecret } from "../../server/domain/webhook-secrets/secret";
import { findSignedFile, signLink } from "../../server/domain/input-files/signed-url";
import type { FactorCtx } from "../../server/domain/factors/factor";
import { useRecoveryCode } from "../../server/domain/factors/recovery-code";
import { confirmTotp, startTotp, useTotp } from "../../server/domain/factors/totp";
import { countStaleSecrets, reencryptSecrets } from "../../server/domain/operations/reencrypt-secrets";
import { readRegisteredClient, registerClient } from "../../server/domain/connections/client";
import { decodeCursor, encodeCursor } from "../../server/lib/cursor";
import { deviceCookie, readDevice } from "../../server/lib/device-token";
import { newId } from "../../server/lib/id";
import { readSession } from "../../server/lib/session-token";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession, sessionCookie } from "../session";

const before = await testHub({ OUTBOUND_ALLOW_HOSTS: "127.0.0.1:9" });
const SECRET = "the next secret of thirty-two characters";
/** The hub while the secret is replaced, and after that. */
const during = deriveHub(before, { secret: SECRET, previousSecret: before.secret });
const after = deriveHub(before, { secret: SECRET });
const STEP_MS = 30_000;

const headersOf = (cookie: string) => new Headers({ cookie: cookie.split(";")[0]! });

test("what the previous secret signed is accepted until it is removed", async () => {
  const { account } = await newCustomer(before);
  const cookie = headersOf(await sessionCookie(before, account));
  const device = headersOf(deviceCookie(before.secret, { id: 7, sessionVersion: 1 }, true));
  const cursor = encodeCursor(before.secret, "scope", "position");
  const client = registerClient(before, { redirect_uris: ["https://app.example/callback"] });
  const { searchParams } = new URL(signLink(before, newId(), new Date(before.now().getTime() + 60_000)));
  const link = { expires: searchParams.get("expires")!, signature: searchParams.get("signature")! };

  expect(await readSession(during, cookie)).not.toBeNull();
  expect(readDevice(during, device)).toMatchObject({ personId: 7 });
  expect(decodeCursor(during, "scope", cursor)).toBe("position");
  expect(readRegisteredClient(during, client.id).redirectUris).toEqual(client.redirectUris);

  expect(await readSession(after, cookie)).toBeNull();
  expect(readDevice(after, device)).toBeNull();
  expect(() => decodeCursor(after, "scope", cursor)).toThrow("next_cursor");
  expect(() => readRegisteredClient(after, client.id)).toThrow("register it again");
  await expect(findSignedFile(after, newId(), link)).rejects.toThrow("invalid or has expired");
});

test("a signed link opens its file under both secrets, and new signatures are of the new one", async () => {
  const fileId = newId();
  const { searchParams } = new URL(signLink(before, fileId, new Date(before.now().getTime() + 60_000)));
  const link = { expires: searchParams.get("expires")!, signature: searchParams.get("signature")! };
  // The signature is right: what is missing is the file.
  await expect(findSignedFile(during, fileId, link)).rejects.toMatchObject({ code: "resource_not_found" });
  const expires = new Date(before.now().getTime() + 60_000);
  expect(signLink(during, fileId, expires)).toBe(signLink(after, fileId, expires));
});

test("re-encryption makes everything stored readable with the new secret alone, once and with one row in the audit log", async () => {
  const { account } = await newCustomer(before);
  const { endpoint, secret: webhookSecret } = await createEndpoint(await ownerSession(before, account), {
    url: "https://127.0.0.1:9/hook",
    events: ["generation.completed"],
  });
  const signing = await rotateSigningSecret(await ownerSession(before, account));
  const ctxOn = async (hub: typeof before): Promise<FactorCtx> => {
    const { actor } = await ownerSession(hub, account);
    return { hub, sessionId: actor.sessionId, accountId: account, person: actor.person };
  };
  const { secret } = await startTotp(await ctxOn(before));
  const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: before.now().getTime() });
  const { recovery_codes } = await confirmTotp(await ctxOn(before), codeNow());
  const [first, second, third] = recovery_codes!;

  before.clock.advance(STEP_MS);
  await useTotp(await ctxOn(during), codeNow());
  await useRecoveryCode(await ctxOn(during), first!);
  // One webhook, one signing secret, one authenticator app, one key of recovery codes, the key of end users.
  expect(await countStaleSecrets(during)).toEqual({ changed: 5, unreadable: 0 });
  expect(await reencryptSecrets(during, testOperator)).toEqual({ changed: 5, unreadable: 0 });
  expect(await reencryptSecrets(during, testOperator)).toEqual({ changed: 0, unreadable: 0 });
  expect(await before.db.prisma.operatorAction.count({ where: { action: "secret.re-encrypt" } })).toBe(1);

  const row = await before.db.prisma.endpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  expect(decryptWebhookSecret(after, endpoint.id, Buffer.from(row.secret!))).toBe(webhookSecret);
  expect((await getSigningSecret(await ownerSession(after, account))).secret).toBe(signing.secret);
  before.clock.advance(STEP_MS);
  await useTotp(await ctxOn(after), codeNow());
  await useRecoveryCode(await ctxOn(after), second!);

  const next = deriveHub(before, { secret: "a third secret of thirty-two characters", previousSecret: SECRET });
  expect(await reencryptSecrets(next, testOperator)).toEqual({ changed: 5 + 1, unreadable: 0 });
  await useRecoveryCode(await ctxOn(deriveHub(before, { secret: next.secret })), third!);
  // A secret that was not re-encrypted in time cannot be decrypted, and stays unchanged.
  expect(await countStaleSecrets(after)).toEqual({ changed: 0, unreadable: 6 });
});
