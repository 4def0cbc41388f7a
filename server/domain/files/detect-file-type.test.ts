import fc from "fast-check";
import { expect, test } from "vitest";
import { refused, samples } from "../../../test/files/samples";
import { seed, times } from "../../../test/soak";
import { detectFileType } from "./detect-file-type";

async function* pieces(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}
const pass = async (content: Buffer, size = 65_536) => {
  const { chunks, type } = detectFileType(pieces(content, size));
  const passed: Uint8Array[] = [];
  for await (const chunk of chunks) passed.push(chunk);
  expect(Buffer.concat(passed).equals(content)).toBe(true);
  return type();
};

test.each(samples)("%s is found in the content, in whatever pieces it comes", async (mediaType, content) => {
  for (const size of [65_536, 7, 1]) expect(await pass(content, size)).toBe(mediaType);
});

test.each(refused)("%s is refused", async (_name, content, reason) => {
  for (const size of [65_536, 1_000, 3]) {
    const fault = { code: "invalid_input", extras: { errors: { file: [expect.stringMatching(reason)] } } };
    await expect(pass(content, size)).rejects.toMatchObject(fault);
  }
});

test("a long document is JSON by its two ends", async () => {
  const list = `[${Array.from({ length: 200_000 }, (_, n) => `{"n":${n}}`).join()}]`;
  expect(await pass(Buffer.from(list))).toBe("application/json");
  expect(await pass(Buffer.from(`${list}, and so on`))).toBe("text/plain");
  expect(await pass(Buffer.from("word ".repeat(300_000)))).toBe("text/plain");
});

test("pieces may cut a text inside a character", async () => {
  expect(await pass(Buffer.from("ö".repeat(10_000)), 4_097)).toBe("text/plain");
});

test("whatever the bytes, they pass unchanged with a type or are refused", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...samples.map(([, content]) => content)), fc.uint8Array({ maxLength: 40 })),
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 5_000 }),
      async (start, rest, size) => {
        const outcome = pass(Buffer.concat([start, rest]), size);
        await outcome.catch((error: unknown) => expect(error).toMatchObject({ code: "invalid_input" }));
      },
    ),
    { seed, numRuns: times(300, 10_000) },
  );
});
