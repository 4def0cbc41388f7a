import { expect, test } from "vitest";
import { readChat } from "@/app/(console)/playground/chat/read-chat";
import { runAudit } from "@/server/domain/audit/audit";
import { findFunds } from "@/server/domain/ledger/find-funds";
import { newId } from "@/server/lib/id";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const messages = [{ role: "user", content: "What does a lighthouse see?" }];
const painting = (prompt: unknown = "a pier") => ({
  idempotencyKey: newId(),
  model: "sandbox-image",
  input: { prompt },
});

test("a run is a generation of the account that holds its estimate", async () => {
  const [user, otherAccount] = [await newConsoleUser(hub), await newConsoleUser(hub)];
  const made = await user.console.playground.run(painting());
  expect(made).toMatchObject({ status: "queued", estimated_cost: 0.0092, billed_cost: null });
  expect(await user.console.generations.get({ id: made.id })).toMatchObject(made);
  for (const id of [made.id, newId(), "none"])
    await expect(otherAccount.console.generations.get({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await findFunds(user.session)).available).toBe(9_990_800_000n);
});

test("creates one generation for a request sent twice, even concurrently", async () => {
  const { console, session } = await newConsoleUser(hub);
  const callCount = painting();
  const made = await Promise.all([console.playground.run(callCount), console.playground.run(callCount)]);
  expect(new Set([...made, await console.playground.run(callCount)].map(({ id }) => id)).size).toBe(1);
  const other = console.playground.run({ ...callCount, input: { prompt: "another" } });
  await expect(other).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await findFunds(session)).available).toBe(9_990_800_000n);
});

test("a run that is invalid or exceeds the balance holds nothing", async () => {
  const { console, session } = await newConsoleUser(hub, { credit: 0 });
  await expect(console.playground.run(painting())).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  const callCount = { idempotencyKey: newId(), model: "sandbox-text", messages };
  await expect(console.playground.chat(callCount)).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  const empty = console.playground.run({ ...painting(), input: {} });
  await expect(empty).rejects.toMatchObject({
    code: "BAD_REQUEST",
    cause: { extras: { errors: { "input.prompt": [expect.any(String)] } } },
  });
  await expect(console.playground.chat({ ...callCount, messages: [] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await findFunds(session)).available).toBe(0n);
});

test("treats another account's file as missing", async () => {
  const [user, otherAccount] = [await newConsoleUser(hub), await newConsoleUser(hub)];
  const id = await insertFile(hub, otherAccount.account, "a picture of theirs");
  const rejections = [id, newId()].map(async (file) => {
    const input = { prompt: "a pier", image_input: [`${hub.env.BASE_URL}/api/v1/hub/files/${file}`] };
    const error: unknown = await user.console.playground
      .run({ ...painting(), input })
      .catch((thrownBy: unknown) => thrownBy);
    return (error as { message: string }).message.replace(file, "it");
  });
  const [otherAccountsFile, missing] = await Promise.all(rejections);
  expect(otherAccountsFile).toContain("image_input");
  expect(otherAccountsFile).toBe(missing);
});

test("a chat is a generation: held, billed once, and replayed", async () => {
  const { console, session } = await newConsoleUser(hub);
  const callCount = { idempotencyKey: newId(), model: "sandbox-text", messages, max_tokens: 50 };
  const answer = await console.playground.chat(callCount);
  expect(answer.choices[0]?.message.content).toEqual(expect.any(String));
  expect(answer.usage.completion_tokens).toBeLessThanOrEqual(50);
  expect(await console.playground.chat(callCount)).toEqual(answer);
  const record = await console.generations.get({ id: answer.id });
  expect(record).toMatchObject({ is_llm: true, status: "succeeded", billed_cost: answer.usage.cost });
  expect(record.input).toEqual({ messages, max_tokens: 50 });
  expect((await findFunds(session)).available).toBe(10_000_000_000n - BigInt(Math.round(answer.usage.cost * 1e9)));
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("continues an earlier chat", () => {
  const picture = { type: "image_url", image_url: { url: "https://example.org/a.png" } };
  const said = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "One?" },
    { role: "assistant", content: "Two." },
    { role: "user", content: [{ type: "text", text: "And this?" }, picture] },
  ];
  expect(readChat({ messages: said, max_tokens: 9 })).toEqual({
    turns: [
      { role: "user", text: "One?", images: [] },
      { role: "assistant", text: "Two.", images: [] },
    ],
    draft: { role: "user", text: "And this?", images: ["https://example.org/a.png"] },
    settings: { system: "Be brief.", max_tokens: 9 },
  });
  const empty = { turns: [], draft: { role: "user", text: "", images: [] }, settings: {} };
  expect(readChat({ omitted: "too large" })).toEqual(empty);
  expect(readChat({ messages: [{ role: "tool", content: "4", tool_call_id: "1" }] })).toEqual(empty);
});

const deep = (levels: number): unknown => (levels === 0 ? "end" : [deep(levels - 1)]);

test.each<[string, unknown]>([
  ["a NUL", "a\0b"],
  ["half a surrogate pair", "\ud800"],
  ["a name with a NUL", { "a\0": 1 }],
  ["a bigint", 1n],
  ["no number", Number.NaN],
  ["a date", new Date()],
  ["a map", new Map()],
  ["too deep", deep(70)],
])("rejects an input with %s with its own error", async (_, prompt) => {
  const { console, session } = await newConsoleUser(hub);
  const callCount = await Promise.allSettled([
    console.playground.run(painting(prompt)),
    console.models.price({ id: "sandbox-image", input: { prompt } }),
    console.playground.chat({
      idempotencyKey: newId(),
      model: "sandbox-text",
      messages: [{ role: "user", content: prompt }],
    }),
  ]);
  const rejected = { status: "rejected", reason: expect.objectContaining({ code: "BAD_REQUEST" }) as unknown };
  expect(callCount).toMatchObject([rejected, rejected, rejected]);
  expect((await findFunds(session)).available).toBe(10_000_000_000n);
});
