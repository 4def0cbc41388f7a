import { afterAll, expect, test } from "vitest";
import { publicOperations as operations } from "../../server/api/operations";
import { runAudit } from "../../server/domain/audit/audit";
import { changeKey } from "../../server/domain/ledger/change-key";
import { rotateKey } from "../../server/domain/keys/rotate";
import { listAllKeys, listKeys } from "../../server/domain/keys/key";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { soakCount } from "../soak";
import { connectClient, versions } from "./clients";
import { connectApp } from "./connect-app";
import { ownerSession } from "../session";

const host = await openRunningHost();
const { hub } = host;
const model = "sandbox-image";
const CALLS = soakCount(24, 100);
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Uploads a small picture and generates one with a key, and returns references to them. */
async function makeFiles(key: string): Promise<string[]> {
  const client = await connectClient("v2", host.url, key);
  const { output: file } = await client.call("upload_file", { base64: PNG });
  const { output: made } = await client.call("generate", { model, input: { prompt: "a" } });
  const [output] = made.outputs as { file_url: string }[];
  return [String(file.reference), String(file.url), output!.file_url];
}

test("the key of an app is rejected with 403 by every other operation, whatever the rest of the request", async () => {
  const customer = await newCustomer(hub);
  const { key } = await connectApp(hub, customer);
  // Sessions and workers have other credentials, so an API key is not a credential there.
  const keyed = operations.filter(({ auth }) => ["key", "key-or-session", "read-file"].includes(auth));
  expect(keyed.length).toBeGreaterThan(20);
  for (const { method, path } of operations.filter(({ auth }) => auth !== "none")) {
    const url = host.url + path.replaceAll(/\{\w+\}/g, "0192f0c1-2222-7000-8000-000000000000");
    const reply = await fetch(url, { method: method.toUpperCase(), headers: { authorization: `Bearer ${key}` } });
    const isKeyed = keyed.some((one) => one.path === path && one.method === method);
    expect({ path, status: reply.status }).toEqual({ path, status: isKeyed ? 403 : 401 });
    const body = (await reply.json()) as { code?: string; error?: { code: string } };
    expect(body.code ?? body.error?.code).toBe("unauthorized");
  }
});

test.each([
  ["POST", "chat/completions"],
  ["GET", "models"],
  ["GET", "models/sandbox-image"],
  ["POST", "images/generations"],
  ["POST", "images/edits"],
  ["POST", "audio/speech"],
  ["POST", "audio/transcriptions"],
  ["POST", "embeddings"],
])("the key of an app is rejected with 403 by %s /v1/%s", async (method, path) => {
  const { key } = await connectApp(hub, await newCustomer(hub));
  const reply = await fetch(`${host.url}/v1/${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  expect([reply.status, await reply.json()]).toMatchObject([403, { error: { code: "unauthorized" } }]);
});

test("the key of an app is rejected by chats in their envelope, as everything but a 401", async () => {
  const { key } = await connectApp(hub, await newCustomer(hub));
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(`${host.url}/api/v1/hub/chat/completions`, { method: "POST", headers });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([403, "application/json"]);
  expect(await reply.json()).toEqual({
    error: {
      message: expect.stringContaining("connected app") as string,
      code: "unauthorized",
      type: "invalid_request_error",
      metadata: { provider_name: "Generation Hub" },
    },
  });
});

test.each(versions)("the key of an app opens /mcp for client %s, and sees only what it made", async (version) => {
  const customer = await newCustomer(hub);
  const [app, other] = [await connectApp(hub, customer, 1), await connectApp(hub, customer, 1)];
  const client = await connectClient(version, host.url, app.key);
  const call = { model, input: { prompt: "mine" }, idempotency_key: "one" };
  const { output: mine } = await client.call("generate", call);
  expect(mine.status).toBe("succeeded");
  for (const key of [other.key, customer.key]) {
    const theirs = await connectClient(version, host.url, key);
    // Another key may use the same idempotency key, for a generation of its own.
    const { output } = await theirs.call("generate", call);
    expect([output.status, output.id === mine.id, output.replayed]).toEqual(["succeeded", false, undefined]);
    for (const tool of ["get_generation", "cancel_generation"])
      expect((await client.call(tool, { id: output.id })).error.code).toBe("generation_not_found");
  }
  // The account owns everything.
  const owner = await connectClient(version, host.url, customer.key);
  expect((await owner.call("get_generation", { id: mine.id })).output.id).toBe(mine.id);
  const { output: account } = await client.call("account");
  expect(account).toMatchObject({ key: { name: "Agent", spend_limit: 1, spend_limit_reset: null } });
});

test("the key of an app uses its own files, and neither files nor characters of others", async () => {
  const customer = await newCustomer(hub);
  const { key } = await connectApp(hub, customer, 1);
  const client = await connectClient("v2", host.url, key);
  const use = (file: string) => client.call("generate", { model, input: { prompt: "b", image_input: [file] } });
  for (const file of [...(await makeFiles(customer.key)), `sha256:${"0".repeat(64)}`]) {
    const { error } = await use(file);
    expect(error).toMatchObject({ code: "invalid_input", errors: { "input.image_input.0": [expect.any(String)] } });
  }
  // The same content is usable once the app has it itself.
  const used = await Promise.all((await makeFiles(key)).map(use));
  expect(used.map(({ output }) => output.status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  const character = await client.call("generate", { model, input: { prompt: "c", character: 1 } });
  expect(character.error.code).toBe("invalid_input");
});

test("an app's key cannot be changed, rotated, or listed among API keys", async () => {
  const customer = await newCustomer(hub);
  const { keyId } = await connectApp(hub, customer);
  const ctx = await ownerSession(hub, customer.account);
  for (const change of [{ name: "x" }, { spend_limit: 100 }, { expires_at: null }, { paused: false }])
    await expect(changeKey(ctx, keyId, change)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(rotateKey(ctx, keyId, 0)).rejects.toMatchObject({ code: "resource_not_found" });
  expect((await listKeys(ctx)).map(({ id }) => id)).toEqual([customer.keyId]);
  expect((await listAllKeys(ctx)).map(({ id }) => id).sort()).toEqual([customer.keyId, keyId].sort());
});

test.each([
  ["lives longer than seven days", "expires_at = created_at + interval '169 hours'"],
  ["never expires", "expires_at = NULL"],
  ["has no limit", "spend_limit = NULL"],
  ["has a limit that resets", "spend_limit_reset = 'day'"],
])("the database rejects an app's key that %s", async (_case, change) => {
  const { keyId } = await connectApp(hub, await newCustomer(hub));
  await expect(hub.db.query(`UPDATE api_key SET ${change} WHERE id = $1`, [keyId])).rejects.toThrow(
    "api_key_of_app_is_bounded",
  );
});

test("the key of an app ends after seven days", async () => {
  const { key, keyId } = await connectApp(hub, await newCustomer(hub));
  // Changes its age rather than the clock: after seven days the audit may close the month in which other tests create
  // generations.
  const age = (time: string) =>
    hub.db.query(
      "UPDATE api_key SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval WHERE id = $1",
      [keyId, time],
    );
  const call = () =>
    fetch(`${host.url}/mcp`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: "{}" });
  await age("167 hours 59 minutes");
  expect((await call()).status).toBe(400);
  await age("61 seconds");
  expect((await call()).status).toBe(401);
});

test("the audit finds an app that spent more than its limit", async () => {
  const customer = await newCustomer(hub);
  const { key, keyId } = await connectApp(hub, customer, 1);
  await (await connectClient("v2", host.url, key)).call("generate", { model, input: { prompt: "a" } });
  const setLimit = async (limit: string) => {
    await hub.db.query("UPDATE api_key SET spend_limit = $2::bigint WHERE id = $1", [keyId, limit]);
    await hub.db.query("UPDATE key_spending SET spend_limit = $2::bigint WHERE key_id = $1", [keyId, limit]);
  };
  await setLimit("9199999");
  expect((await runAudit(hub.db)).violations).toMatchObject([
    { check: "no connected app holds or spends more than its limit", subject: `key ${keyId}` },
  ]);
  await setLimit("1000000000");
});

async function spentBy({ account }: Customer, keyId: string): Promise<{ charged: number; count: number }> {
  const [row] = await hub.db.query<{ charged: string | null; count: string }>(
    "SELECT sum(billed_cost)::text AS charged, count(*)::text AS count FROM generation WHERE account_id = $1 AND key_id = $2",
    [account, keyId],
  );
  return { charged: Number(row!.charged), count: Number(row!.count) };
}

test(`${CALLS} concurrent calls on the last cent of an app's limit never spend more`, async () => {
  const customer = await newCustomer(hub);
  const probe = await connectClient("v2", host.url, customer.key);
  const price = Number((await probe.call("estimate", { model, input: { prompt: "a" } })).output.estimated_cost);
  // Room for two calls, and all but the last nano-euro of a third.
  const app = await connectApp(hub, customer, Number((price * 3 - 1e-9).toFixed(9)));
  const clients = await Promise.all(versions.map((version) => connectClient(version, host.url, app.key)));
  const call = { model, input: { prompt: "a" }, wait_seconds: 30 };
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => clients[index % 2]!.call("generate", call)),
  );
  const rejected = answers.filter(({ isError }) => isError);
  expect([rejected.length, new Set(rejected.map(({ error }) => error.code))]).toEqual([
    CALLS - 2,
    new Set(["insufficient_credits"]),
  ]);
  expect(await spentBy(customer, app.keyId)).toEqual({ charged: Math.round(price * 2 * 1e9), count: 2 });
  // The day turns, and the limit does not reset.
  hub.clock.advance(86_400_000);
  expect((await clients[0]!.call("generate", call)).error.code).toBe("insufficient_credits");
  expect((await clients[0]!.call("generate", call)).text).toContain("it never resets");
});
