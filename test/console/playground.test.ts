import { expect, test } from "vitest";
import { readChat } from "@/app/(console)/playground/read-chat";
import { runAudit } from "@/server/domain/audit/audit";
import { findFunds } from "@/server/domain/ledger/find-funds";
import { newId } from "@/server/lib/id";
import { testHub } from "../hub";
import { keepFile } from "../keep-file";
import { newPerson } from "./caller";

const hub = await testHub();
const messages = [{ role: "user", content: "What does a lighthouse see?" }];
const painting = (prompt: unknown = "a pier") => ({
  idempotencyKey: newId(),
  model: "sandbox-image",
  input: { prompt },
});

test("a run is a generation of the account, held at its estimate", async () => {
  const [person, stranger] = [await newPerson(hub), await newPerson(hub)];
  const made = await person.console.playground.run(painting());
  expect(made).toMatchObject({ status: "queued", estimated_cost: 0.0092, billed_cost: null });
  expect(await person.console.generations.get({ id: made.id })).toMatchObject(made);
  for (const id of [made.id, newId(), "none"])
    await expect(stranger.console.generations.get({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await findFunds(person.session)).available).toBe(9_990_800_000n);
});

test("what is sent twice is made once, also by two at the same moment", async () => {
  const { console, session } = await newPerson(hub);
  const asked = painting();
  const made = await Promise.all([console.playground.run(asked), console.playground.run(asked)]);
  expect(new Set([...made, await console.playground.run(asked)].map(({ id }) => id)).size).toBe(1);
  const other = console.playground.run({ ...asked, input: { prompt: "another" } });
  await expect(other).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await findFunds(session)).available).toBe(9_990_800_000n);
});

test("a run that is not covered, or not valid, holds nothing", async () => {
  const { console, session } = await newPerson(hub, { credit: 0 });
  await expect(console.playground.run(painting())).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  const asked = { idempotencyKey: newId(), model: "sandbox-text", messages };
  await expect(console.playground.chat(asked)).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  const empty = console.playground.run({ ...painting(), input: {} });
  await expect(empty).rejects.toMatchObject({
    code: "BAD_REQUEST",
    cause: { extras: { errors: { "input.prompt": [expect.any(String)] } } },
  });
  await expect(console.playground.chat({ ...asked, messages: [] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await findFunds(session)).available).toBe(0n);
});

test("a stranger's file is as unknown as one that is not there", async () => {
  const [person, stranger] = [await newPerson(hub), await newPerson(hub)];
  const id = await keepFile(hub, stranger.account, "a picture of theirs");
  const refusals = [id, newId()].map(async (file) => {
    const input = { prompt: "a pier", image_input: [`${hub.env.BASE_URL}/api/v1/hub/files/${file}`] };
    const error: unknown = await person.console.playground
      .run({ ...painting(), input })
      .catch((fault: unknown) => fault);
    return (error as { message: string }).message.replace(file, "it");
  });
  const [theirs, missing] = await Promise.all(refusals);
  expect(theirs).toContain("image_input");
  expect(theirs).toBe(missing);
});

test("a chat is a generation like any other: held, billed once, and answered again as it was", async () => {
  const { console, session } = await newPerson(hub);
  const asked = { idempotencyKey: newId(), model: "sandbox-text", messages, max_tokens: 50 };
  const answer = await console.playground.chat(asked);
  expect(answer.choices[0]?.message.content).toEqual(expect.any(String));
  expect(answer.usage.completion_tokens).toBeLessThanOrEqual(50);
  expect(await console.playground.chat(asked)).toEqual(answer);
  const record = await console.generations.get({ id: answer.id });
  expect(record).toMatchObject({ is_llm: true, status: "succeeded", billed_cost: answer.usage.cost });
  expect(record.input).toEqual({ messages, max_tokens: 50 });
  expect((await findFunds(session)).available).toBe(10_000_000_000n - BigInt(Math.round(answer.usage.cost * 1e9)));
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("an earlier chat can be gone on with", () => {
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
])("an input with %s is refused as what it is", async (_, prompt) => {
  const { console, session } = await newPerson(hub);
  const asked = await Promise.allSettled([
    console.playground.run(painting(prompt)),
    console.models.price({ id: "sandbox-image", input: { prompt } }),
    console.playground.chat({
      idempotencyKey: newId(),
      model: "sandbox-text",
      messages: [{ role: "user", content: prompt }],
    }),
  ]);
  const refused = { status: "rejected", reason: expect.objectContaining({ code: "BAD_REQUEST" }) as unknown };
  expect(asked).toMatchObject([refused, refused, refused]);
  expect((await findFunds(session)).available).toBe(10_000_000_000n);
});
