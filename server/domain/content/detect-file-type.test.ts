import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rejectedSamples, samples } from "../../../test/files/samples";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
import { seed, soakCount } from "../../../test/soak";
import { detectFileType } from "./detect-file-type";

const MAX_TURN_MS = 25;

async function* pieces(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}
const detect = async (content: Buffer, size = 65_536) => {
  const { chunks, type } = detectFileType(pieces(content, size));
  const passed: Uint8Array[] = [];
  for await (const chunk of chunks) passed.push(chunk);
  expect(Buffer.concat(passed).equals(content)).toBe(true);
  return type();
};

test.each(samples)("detects %s from the content, in chunks of any size", async (mediaType, content) => {
  for (const size of [65_536, 7, 1]) expect(await detect(content, size)).toBe(mediaType);
});

test.each(rejectedSamples)("rejects %s", async (_name, content, reason) => {
  for (const size of [65_536, 1_000, 3]) {
    const issue = { code: "invalid_input", extras: { errors: { file: [expect.stringMatching(reason)] } } };
    await expect(detect(content, size)).rejects.toMatchObject(issue);
  }
});

test("a long document is JSON by its first value and last character", async () => {
  const list = `[${Array.from({ length: 200_000 }, (_, n) => `{"n":${n}}`).join()}]`;
  for (const document of [
    list,
    list.slice(0, 99_999) + "0}]",
    ` ${JSON.stringify({ text: '\\"}]'.repeat(100_000) })} `,
  ]) {
    for (const size of [1_000_000, 65_536, 4_097])
      expect(await detect(Buffer.from(document), size)).toBe("application/json");
    expect(await detect(Buffer.from(`${document}, and so on`))).toBe("text/plain");
  }
  expect(await detect(Buffer.from("word ".repeat(300_000)))).toBe("text/plain");
});

test.each([
  ["JSON Lines", '{"one":{"two":[3]}}\n'.repeat(100_000)],
  ["lists beside each other", "[1] [2] ".repeat(50_000)],
  ["a text that begins with a bracket", `[Intro]\n${"la la la\n".repeat(10_000)}[Outro]`],
])("%s: plain text, long or short", async (_name, text) => {
  for (const size of [1_000_000, 65_536, 4_097]) expect(await detect(Buffer.from(text), size)).toBe("text/plain");
  expect(await detect(Buffer.from(text.slice(0, 1_000).trimEnd()))).toBe("text/plain");
});

const distinctName = (n: number) => `"${n.toString(36)}":`;
/** Objects of 60 levels, all with other names. */
const deepObjects = Array.from({ length: 1_700 }, (_, n) => {
  const names = Array.from({ length: 60 }, (_, level) => distinctName(n * 60 + level));
  return `{${names.join("{")}0${"}".repeat(60)}`;
});

test.each([
  ["lists in lists", "[".repeat(524_288) + "]".repeat(524_288)],
  ["objects in objects", `[${deepObjects.join()}]`],
  ["many names", `{${Array.from({ length: 100_000 }, (_, n) => `${distinctName(n)}0`).join()}}`],
  ["escaped quotes", JSON.stringify(['"'.repeat(500_000)])],
])("%s: short turns", async (_name, text) => {
  const content = Buffer.from(text);
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, async () => {
    const { chunks, type } = detectFileType(pieces(content, 65_536));
    while (!(await chunks.next()).done) await nextTurn();
    type();
  });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test("chunks may split a character", async () => {
  expect(await detect(Buffer.from("ö".repeat(10_000)), 4_097)).toBe("text/plain");
});

test("passes any bytes unchanged with a type, or rejects them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...samples.map(([, content]) => content)), fc.uint8Array({ maxLength: 40 })),
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 5_000 }),
      async (beginning, rest, size) => {
        const outcome = detect(Buffer.concat([beginning, rest]), size);
        await outcome.catch((error: unknown) => expect(error).toMatchObject({ code: "invalid_input" }));
      },
    ),
    { seed, numRuns: soakCount(300, 10_000) },
  );
});
