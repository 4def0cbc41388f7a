import { beforeAll, describe, expect, test } from "vitest";
import { type Customer, newCustomer } from "../../../../test/api/customer";
import { queuedGeneration } from "../../../../test/generation-fixture";
import { testHub } from "../../../../test/hub";
import { type AccountLimits, contextOf } from "../../../context";
import { runAudit } from "../../audit/audit";
import { findKey } from "../../credentials/authenticate";
import { listEvents } from "../../envelopes";
import { getKey } from "../../keys/key";
import { changeKey } from "../../ledger/change-key";
import { settleChat } from "../end/settle-chat";
import { insertWithHold } from "./insert-with-hold";

const hub = await testHub();
const HELD = 9_200_000n;
const PAGE = { limit: 10 };

const contextFor = ({ account, email }: Pick<Customer, "account" | "email">) =>
  contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");

const newChat = (owner: Customer) => ({
  ...queuedGeneration(owner.account, HELD),
  key_id: owner.keyId,
  is_llm: true,
  status: "running" as const,
  started_at: new Date(),
  deadline_at: new Date(Date.now() + 60_000),
});

const lookUp = async ({ key }: Customer) => (await findKey(hub, key))!.account.limits!;

test("a key with a limit, and a key of an account that follows events, leaves the short statements", async () => {
  const [plain, limited, follower] = [
    await newCustomer(hub),
    await newCustomer(hub, { spendLimit: 1 }),
    await newCustomer(hub),
  ];
  await listEvents(contextFor(follower), PAGE);
  expect([await lookUp(plain), await lookUp(limited), await lookUp(follower)]).toEqual([
    { version: 0, hasBudgets: false },
    null,
    null,
  ]);
});

// A chat alone has statements of its own; one beside another shares those for several.
describe.each([0, 1])("a chat beside %i others", (count) => {
  let others: Customer[];
  beforeAll(async () => {
    others = await Promise.all(Array.from({ length: count }, () => newCustomer(hub)));
  });

  /** Holds for a chat of a key as it was when these limits were looked up. */
  async function holdChat(owner: Customer, limits: AccountLimits | null) {
    const chat = { ...newChat(owner), limits };
    const beside = await Promise.all(others.map(async (other) => ({ ...newChat(other), limits: await lookUp(other) })));
    const [result] = await Promise.all([chat, ...beside].map((one) => insertWithHold(hub, one)));
    return { id: chat.id, beside, result };
  }

  const settle = async ({ id, beside }: Awaited<ReturnType<typeof holdChat>>, limits: AccountLimits) =>
    (await Promise.all([{ id, limits }, ...beside].map((one) => settleChat(hub, one.id, { to: "succeeded", cost: 1_000n, attempts: [], limits: one.limits }))))[0]; // prettier-ignore

  test("a limit that is set after the lookup rejects the hold", async () => {
    const owner = await newCustomer(hub);
    const limits = await lookUp(owner);
    await changeKey(contextFor(owner), owner.keyId, { spend_limit: 0.01 });
    expect((await holdChat(owner, limits)).result).toBe("accepted");
    expect((await holdChat(owner, limits)).result).toBe("insufficient_credits");
    expect((await getKey(contextFor(owner), owner.keyId)).spent).toBe(HELD);
  });

  test("a limit that is set while a chat runs counts what it costs", async () => {
    const owner = await newCustomer(hub);
    const limits = await lookUp(owner);
    const chat = await holdChat(owner, limits);
    await changeKey(contextFor(owner), owner.keyId, { spend_limit: 1 });
    expect(await settle(chat, limits)).toBe(true);
    expect((await getKey(contextFor(owner), owner.keyId)).spent).toBe(1_000n);
    expect((await runAudit(hub.db)).violations).toEqual([]);
  });

  test("an account that follows events from now on gets those of chats that run", async () => {
    const owner = await newCustomer(hub);
    const limits = await lookUp(owner);
    const chat = await holdChat(owner, limits);
    const ctx = contextFor(owner);
    await listEvents(ctx, PAGE);
    const later = await holdChat(owner, limits);
    expect(await settle(chat, limits)).toBe(true);
    const { envelopes } = await listEvents(ctx, PAGE);
    const events = envelopes.map((text) => JSON.parse(text) as { event: string; data: { id: string } });
    expect(events.map(({ event, data }) => [event, data.id])).toEqual([
      ["generation.running", later.id],
      ["generation.completed", chat.id],
    ]);
  });
});
