import type { Hub } from "@/server/domain/hub";
import { expect, test } from "vitest";
import { contextOf, type Ctx } from "@/server/context";
import { completeChat } from "@/server/domain/chat/complete-chat";
import { serializeReply } from "@/server/domain/chat/reply";
import { findKey } from "@/server/domain/credentials/authenticate";
import { purgeReplies } from "@/server/domain/generations/end/chat-replies";
import { newId } from "@/server/lib/id";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { recordStatements } from "../record-statements";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const DAY_MS = 86_400_000;
const question = "What does a lighthouse see?";

/** Completes a chat and returns its id. */
async function chat(ctx: Ctx<Hub>): Promise<string> {
  const body = { model: "sandbox-text", messages: [{ role: "user", content: question }] };
  return (JSON.parse(String((await completeChat(ctx, body, null)).answer)) as { id: string }).id;
}

/** Returns a user whose account keeps replies for this many days. */
async function newKeeper(days: number) {
  const user = await newConsoleUser(hub);
  await user.console.account.setReplyRetention({ days });
  const session = { ...user.session, account: { ...user.session.account, replyRetentionDays: days } };
  return { ...user, session, get: async (id: string) => (await user.console.generations.get({ id })).chat };
}

const countReplies = async (account: number) =>
  (await hub.db.query("SELECT FROM chat_reply WHERE account_id = $1", [account])).length;

test("a reply is not stored unless the account chose so, and its tokens always are", async () => {
  const { session, console, account } = await newConsoleUser(hub);
  const { chat: kept, usage } = await console.generations.get({ id: await chat(session) });
  expect(kept).toMatchObject({ choices: null, deleted_at: null, is_keeping_replies: false });
  expect(usage!.input_tokens).toBeGreaterThan(0);
  expect(usage!.output_tokens).toBeGreaterThan(0);
  expect(await countReplies(account)).toBe(0);
});

test("a reply is stored for its account alone", async () => {
  const user = await newKeeper(7);
  const id = await chat(user.session);
  const kept = await user.get(id);
  expect(kept!.choices).toMatchObject([{ message: { role: "assistant", content: expect.any(String) as string } }]);
  const days = (Date.parse(kept!.deleted_at!) - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThanOrEqual(7);
  const other = await newKeeper(7);
  for (const unknown of [id, newId()]) await expect(other.get(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("storing a reply takes no additional statement", async () => {
  const [off, on] = [await newConsoleUser(hub), await newKeeper(7)];
  await chat(off.session);
  const sent = recordStatements(hub);
  await chat(off.session);
  const without = sent();
  await chat(on.session);
  const kept = sent();
  expect(kept).toHaveLength(without.length);
  expect(kept.join()).toContain("chat_reply");
});

test("a chat of an API key that keeps no replies has no part for them", async () => {
  const { account, actor } = (await findKey(hub, (await newCustomer(hub)).key))!;
  const sent = recordStatements(hub);
  await chat(contextOf(hub, account, actor, "test"));
  const statements = sent().join();
  expect(statements).toContain("ledger_entry");
  expect(statements).not.toContain("chat_reply");
});

test("turning off stored replies deletes them at once, including that of a running chat", async () => {
  const [user, other] = [await newKeeper(7), await newKeeper(7)];
  const ids = [await chat(user.session), await chat(other.session)];
  await user.console.account.setReplyRetention({ days: null });
  // Its session was loaded while replies were still stored.
  await chat(user.session);
  expect(await countReplies(user.account)).toBe(0);
  expect((await user.get(ids[0]!))!.choices).toBeNull();
  expect((await other.get(ids[1]!))!.choices).not.toBeNull();
});

test("the sweep deletes expired replies, and a shorter retention applies to stored ones", async () => {
  const [brief, long] = [await newKeeper(1), await newKeeper(30)];
  const ids = [await chat(brief.session), await chat(long.session)];
  const after = (days: number) => deriveHub(hub, { now: () => new Date(Date.now() + days * DAY_MS) });
  await purgeReplies(after(0.9), 100);
  expect([await countReplies(brief.account), await countReplies(long.account)]).toEqual([1, 1]);
  // Expired replies are not shown, even before the sweep.
  expect((await brief.consoleOn(after(1.1)).generations.get({ id: ids[0]! })).chat!.choices).toBeNull();
  await purgeReplies(after(1.1), 100);
  expect([await countReplies(brief.account), await countReplies(long.account)]).toEqual([0, 1]);
  await long.console.account.setReplyRetention({ days: 2 });
  await purgeReplies(after(2.1), 100);
  expect(await countReplies(long.account)).toBe(0);
});

test.each([0, 31, 1.5, -1])("rejects %d days", async (days) => {
  const { console } = await newConsoleUser(hub);
  await expect(console.account.setReplyRetention({ days })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a very long reply is cut, with any characters", () => {
  const choices = [
    { index: 0, message: { role: "assistant", content: "\u0000🌊".repeat(300_000) }, finish_reason: "stop" },
  ];
  const text = serializeReply({ choices });
  expect(text.length).toBeLessThan(1_000_000);
  const [choice] = JSON.parse(text) as { message: { content: string }; truncated: boolean }[];
  expect(choice!.truncated).toBe(true);
  expect(choices[0]!.message.content.startsWith(choice!.message.content)).toBe(true);
});
