import fc from "fast-check";
import { expect, test } from "vitest";
import { rejectedSamples, samples } from "../../../test/files/samples";
import { seed, soakCount } from "../../../test/soak";
import { detectFileType } from "./detect-file-type";

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

test("a long document is JSON by its first and last bytes", async () => {
  const list = `[${Array.from({ length: 200_000 }, (_, n) => `{"n":${n}}`).join()}]`;
  expect(await detect(Buffer.from(list))).toBe("application/json");
  expect(await detect(Buffer.from(`${list}, and so on`))).toBe("text/plain");
  expect(await detect(Buffer.from("word ".repeat(300_000)))).toBe("text/plain");
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
