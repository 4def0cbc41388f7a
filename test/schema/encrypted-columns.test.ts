import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { changeAlertSettings, getAlertSettings } from "../../server/domain/alerts/settings";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { rotateSecret } from "../../server/domain/endpoints/rotate-secret";
import type { FactorCtx } from "../../server/domain/factors/factor";
import { confirmTotp, startTotp } from "../../server/domain/factors/totp";
import { insertWithHold } from "../../server/domain/generations/intake";
import { countStaleSecrets, reencryptSecrets } from "../../server/domain/operations/reencrypt-secrets";
import { openReasoning, sealReasoning } from "../../server/domain/responses/reasoning";
import { findResponse, storeResponse } from "../../server/domain/responses/stored-response";
import { rotateSigningSecret } from "../../server/domain/webhook-secrets/signing-secret";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

/** What HUB_SECRET encrypts: the rows of the table in docs/operations.md. */
const rows = [
  ...readFileSync("docs/operations.md", "utf8").matchAll(/^\| `(generation-hub [^`]+)` \| (.*) \| (.*) \|$/gm),
].map(([, purpose, columns, rule]) => ({
  purpose: purpose!,
  columns: [...columns!.matchAll(/`(\w+\.\w+)`/g)].map(([, column]) => column!),
  isRenewed: rule!.startsWith("encrypted anew"),
  reason: /^kept, because \w+/.test(rule!),
}));
const renewed = rows.filter(({ isRenewed }) => isRenewed).flatMap(({ columns }) => columns);

/** Keys that sign and hash, and encrypt nothing. */
const OTHER_PURPOSES = [
  "generation-hub sessions",
  "generation-hub recovery codes",
  "generation-hub erased fingerprints",
];

test("every purpose of a key is in the table, and each is encrypted anew or kept for a reason", () => {
  const sources = readdirSync("server", { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => readFileSync(path.join("server", name), "utf8"));
  const purposes = sources.flatMap((text) =>
    [...text.matchAll(/derive(?:Keys|EncryptionKey)\(\w+, "([^"]+)"\)/g)].map(([, purpose]) => purpose!),
  );
  expect([...purposes].sort()).toEqual([...rows.map(({ purpose }) => purpose), ...OTHER_PURPOSES].sort());
  expect(rows.filter(({ isRenewed, reason }) => isRenewed === reason)).toEqual([]);
});

/** Bytes that nothing encrypts: hashes of tokens, codes and files, public keys, and contents. */
const PLAIN = [/[._]hash$/, /\.(sha256|fingerprint|request_digest|public_key|credential_id|content|picture)$/];

test("every column of bytes is in the table, or holds no secret that can be read again", async () => {
  const hub = await testHub();
  const found = await hub.db.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND data_type = 'bytea'`,
  );
  const encrypted = found.map(({ name }) => name).filter((name) => !PLAIN.some((pattern) => pattern.test(name)));
  // The answer that is stored for repeated requests is a text.
  expect(encrypted.sort()).toEqual(rows.flatMap(({ columns }) => columns).filter((name) => name !== "generation.stored_answer").sort()); // prettier-ignore
});

test("re-encryption renews every value of the columns that the table says, and what they hold is as before", async () => {
  const first = await testHub({ OUTBOUND_ALLOW_HOSTS: "127.0.0.1:9" });
  const secrets = ["second", "third"].map((name) => `the ${name} secret of thirty-two characters`);
  const second = deriveHub(first, { secret: secrets[0]!, previousSecret: first.secret });
  const third = deriveHub(first, { secret: secrets[1]!, previousSecret: secrets[0]! });
  const last = deriveHub(first, { secret: secrets[1]! });
  const { account } = await newCustomer(first);

  const session = await ownerSession(first, account);
  const { endpoint } = await createEndpoint(session, {
    url: "https://127.0.0.1:9/hook",
    events: ["generation.completed"],
  });
  await rotateSecret(session, endpoint.id);
  for (let made = 0; made < 2; made += 1) await rotateSigningSecret(session);
  await changeAlertSettings(session, { slack_url: "https://127.0.0.1:9/slack" });
  const { actor } = session;
  const factor: FactorCtx = { hub: first, sessionId: actor.sessionId, accountId: account, person: actor.person };
  const { secret } = await startTotp(factor);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: first.now().getTime() });
  await confirmTotp(factor, code);
  await startTotp(factor);
  const generation = queuedGeneration(account, 0n);
  const { id } = generation;
  expect(await insertWithHold(first, generation)).toBe("accepted");
  const owner = { ...session, hub: first };
  const item = { type: "reasoning", encrypted_content: sealReasoning(owner, "a thought") };
  await storeResponse(owner, { id, previousId: null, input: [item], answer: { output: [item] } });

  // The first time stores the key of the recovery codes.
  await reencryptSecrets(second, testOperator);
  const valuesOf = async (name: string) => {
    const [table, column] = name.split(".");
    const found = await first.db.query<{ value: Buffer }>(`SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`); // prettier-ignore
    return found.map(({ value }) => value.toString("hex"));
  };
  const before = new Map(await Promise.all(renewed.map(async (name) => [name, await valuesOf(name)] as const)));
  const stale = await countStaleSecrets(third);
  expect(await reencryptSecrets(third, testOperator)).toEqual(stale);
  for (const [name, values] of before) {
    expect(values, name).not.toEqual([]);
    const after = await valuesOf(name);
    expect(
      after.filter((value) => values.includes(value)),
      name,
    ).toEqual([]);
  }
  expect(await countStaleSecrets(third)).toEqual({ changed: 0, unreadable: 0 });

  const found = (await findResponse({ ...session, hub: last }, id))!;
  const [input, output] = [found.input[0]!, (found.answer.output as { encrypted_content: string }[])[0]!];
  for (const { encrypted_content } of [input, output])
    expect(openReasoning({ hub: last, account: session.account }, encrypted_content)).toBe("a thought");
  expect(await getAlertSettings({ ...session, hub: last })).toMatchObject({ slack_host: "127.0.0.1:9" });
});
