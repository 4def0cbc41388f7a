import { expect, test } from "vitest";
import { contextOf, type Person, type Role, roles } from "@/server/context";
import { insertWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { markRunning } from "@/server/domain/generations/run/mark-running";
import { finishGeneration } from "@/server/domain/generations/end/finish";
import { getAccountWarnings } from "@/server/domain/overview/get-account-warnings";
import { createKey } from "@/server/domain/keys/create";
import { listDeliveries } from "@/server/domain/deliveries/delivery";
import { revokeKey } from "@/server/domain/keys/key";
import { newId } from "@/server/lib/id";
import { startGeneration } from "@/server/domain/generations/intake/start";
import { createEndpoint } from "@/server/domain/endpoints/create";
import { redeliverDelivery } from "@/server/domain/deliveries/redeliver";
import { revokeEndpoint } from "@/server/domain/endpoints/revoke";
import { sendTest } from "@/server/domain/deliveries/send-test";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { runningHub } from "../engine";
import { openReceiver } from "../webhooks/receiver";

const receiver = await openReceiver();
const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });

async function newCtx(credit: number, available = credit) {
  const { account, email, keyId } = await newCustomer(hub, { credit });
  const [balance, reserved] = [BigInt(credit) * 10n ** 9n, BigInt(credit - available) * 10n ** 9n];
  const ctx = contextOf(hub, { id: account, email, member: false, balance, reserved }, { kind: "user" }, "test");
  return { ctx, keyId };
}
/** Returns the same request of a member with this role. */
const asRole = ({ hub, account }: Awaited<ReturnType<typeof newCtx>>["ctx"], role: Role) =>
  contextOf(hub, account, { kind: "user", person: { role } as Person }, "test");
const kinds = async (ctx: Parameters<typeof getAccountWarnings>[0]) =>
  (await getAccountWarnings(ctx)).warnings.map(({ kind }) => kind);

test("lists the first steps that an account has not completed", async () => {
  const { ctx, keyId } = await newCtx(1);
  expect(await getAccountWarnings(ctx)).toEqual({ has: { key: true, webhook: false }, warnings: [] });
  await revokeKey(ctx, keyId);
  const { endpoint } = await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  expect((await getAccountWarnings(ctx)).has).toEqual({ key: false, webhook: true });
  await revokeEndpoint(ctx, endpoint.id);
  expect((await getAccountWarnings(ctx)).has).toEqual({ key: false, webhook: false });
});

test("warns when the balance is empty, or will be soon at last week's rate of spending", async () => {
  expect(await kinds((await newCtx(0)).ctx)).toEqual(["no_credit"]);
  expect(await kinds((await newCtx(2, 0)).ctx)).toEqual(["no_credit"]);
  const { ctx } = await newCtx(10);
  const generation = queuedGeneration(ctx.account.id, 7n * 10n ** 9n);
  await insertWithHold(hub, generation);
  await markRunning(hub, { generationId: generation.id, runId: newId() });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  ctx.account.balance = 3n * 10n ** 9n;
  expect((await getAccountWarnings(ctx)).warnings).toEqual([{ kind: "low_credit", days_left: 3 }]);
  expect(await kinds(asRole(ctx, "billing"))).toEqual(["low_credit"]);
  expect(await kinds(asRole(ctx, "developer"))).toEqual([]);
  ctx.account.balance = 0n;
  for (const role of roles) expect(await kinds(asRole(ctx, role))).toEqual(["no_credit"]);
  ctx.account.balance = 7n * 10n ** 9n;
  expect(await kinds(ctx)).toEqual([]);
});

test("warns about keys that expire soon, and not about expired ones", async () => {
  const { ctx } = await newCtx(1);
  const soon = new Date(hub.now().getTime() + 86_400_000);
  const { record: short } = await createKey(hub, ctx.account.id, { name: "short", expires_at: soon });
  const { record } = await createKey(hub, ctx.account.id, { name: "small", spend_limit: 0.01 });
  const byKey = contextOf(
    hub,
    ctx.account,
    {
      ...record,
      kind: "key",
      scope: "api",
      requireIdempotency: false,
      allowedModels: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
      requireEndUser: false,
      keepsNothing: false,
    },
    "test",
  );
  await startGeneration(byKey, { model: "sandbox-image", input: { prompt: "[hang] a tree" } }, null);
  expect((await getAccountWarnings(ctx)).warnings).toEqual([
    { kind: "key_limit", id: record.id, name: "small", spent: 0.0092, spend_limit: 0.01, reset: null },
    { kind: "key_expiry", id: short.id, name: "short", expires_at: soon.toISOString() },
  ]);
  await revokeKey(ctx, record.id);
  expect(await kinds(ctx)).toEqual(["key_expiry"]);
});

test("warns about an endpoint whose newest attempt failed, and about awaited files, only to their account", async () => {
  const { ctx } = await newCtx(1);
  const { endpoint } = await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  await startGeneration(
    ctx,
    { model: "sandbox-image", input: { prompt: "-", image_input: [`sha256:${"ab".repeat(32)}`] } },
    null,
  );
  expect(await kinds(ctx)).toEqual(["awaiting_files"]);
  receiver.respond = (response) => void response.writeHead(500).end();
  await sendTest(ctx, endpoint.id);
  await expect
    .poll(async () => (await getAccountWarnings(ctx)).warnings[0], { timeout: 20_000 })
    .toMatchObject({ kind: "failing_webhook", id: endpoint.id, url: receiver.url, status: 500 });
  expect(await kinds(asRole(ctx, "viewer"))).toEqual(["failing_webhook", "awaiting_files"]);
  expect(await kinds(asRole(ctx, "billing"))).toEqual([]);
  expect(await kinds((await newCtx(1)).ctx)).toEqual([]);
  receiver.respond = (response) => void response.writeHead(204).end();
  await sendTest(ctx, endpoint.id);
  await expect.poll(() => kinds(ctx), { timeout: 20_000 }).toEqual(["awaiting_files"]);
});

test("decides by an endpoint's newest attempt, even if that is of an older delivery", async () => {
  const { ctx } = await newCtx(1);
  const { endpoint } = await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  const expectWarnings = (warningKinds: string[]) =>
    expect.poll(() => kinds(ctx), { timeout: 20_000 }).toEqual(warningKinds);
  receiver.respond = (response) => void response.writeHead(500).end();
  await sendTest(ctx, endpoint.id);
  await sendTest(ctx, endpoint.id);
  await expectWarnings(["failing_webhook"]);
  const older = (await listDeliveries(ctx, endpoint.id, { limit: 2 })).data[1]!;
  receiver.respond = (response) => void response.writeHead(204).end();
  await redeliverDelivery(ctx, older.id);
  await expectWarnings([]);
  receiver.respond = (response) => void response.writeHead(500).end();
  await redeliverDelivery(ctx, older.id);
  await expectWarnings(["failing_webhook"]);
  receiver.respond = (response) => void response.writeHead(204).end();
});
