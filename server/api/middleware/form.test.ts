import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../../../test/soak";
import { readFilePart } from "./form";

const BOUNDARY = "----b0undary";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const LIMIT = 100_000;

const part = (disposition: string, content: Buffer | string, type = "Content-Type: image/png\r\n") =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const END = Buffer.from(`--${BOUNDARY}--\r\n`);
const file = (content: Buffer | string) => part('name="file"; filename="a.png"', content);

/** Returns a request whose body arrives in these pieces. */
const send = (pieces: Uint8Array[], headers: Record<string, string> = {}) => {
  const remainingParts = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      remainingParts.length > 0 ? controller.enqueue(remainingParts.shift()!) : controller.close(),
  });
  const init = { method: "POST", headers: { "content-type": TYPE, ...headers }, body, duplex: "half" };
  return new Request("http://hub.test/", init);
};
const read = async (pieces: Uint8Array[], headers?: Record<string, string>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readFilePart(send(pieces, headers), "file", LIMIT).chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const split = (bytes: Buffer, cuts: number[]) => {
  const at = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  return [0, ...at].map((start, n) => bytes.subarray(start, at[n] ?? bytes.length));
};
const cuts = fc.array(fc.nat(), { maxLength: 20 });
// Arbitrary bytes mixed with parts of the boundary.
const content = fc
  .array(
    fc.oneof(
      fc
        .constantFrom("\r\n", "\r\n--", "--", `\r\n--${BOUNDARY.slice(0, -1)}`, "\r", "\n", "-")
        .map((words) => Buffer.from(words)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.concat(pieces))
  // A form with this boundary cannot have content that contains the whole delimiter.
  .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`));

// Other parts that clients send: fields, and files of other names.
const others = fc.array(
  fc.tuple(fc.constantFrom('name="purpose"', 'name="thumbnail"; filename="t.png"', 'filename="a.png"'), content),
  { maxLength: 10 },
);
const partsOf = (parts: [string, Buffer][]) => parts.map(([disposition, bytes]) => part(disposition, bytes));

test("returns the file byte for byte, with any other parts and in any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(others, content, others, cuts, fc.boolean(), async (before, bytes, after, at, epilogue) => {
      const end = [END, Buffer.from(epilogue ? "epilogue" : "")];
      const form = Buffer.concat([...partsOf(before), file(bytes), ...partsOf(after), ...end]);
      expect((await read(split(form, at))).equals(bytes)).toBe(true);
    }),
    { seed, numRuns: soakCount(100, 5_000) },
  );
});

test("returns a file byte for byte that has a media type and no name", async () => {
  const bytes = Buffer.from([0xff, 0x0d, 0x0a, 0x00, 0x80]);
  expect(await read([part('name="file"', bytes), END])).toEqual(bytes);
});

test("rejects a form truncated anywhere with 400", async () => {
  await fc.assert(
    fc.asyncProperty(others, content, others, cuts, fc.nat(), async (before, bytes, after, at, end) => {
      const form = Buffer.concat([...partsOf(before), file(bytes), ...partsOf(after), END]);
      const cut = form.subarray(0, end % (form.length - 4));
      await expect(
        read(
          split(
            cut,
            at.filter(() => cut.length > 0),
          ),
        ),
      ).rejects.toMatchObject({ code: "invalid_input" });
    }),
    { seed, numRuns: soakCount(100, 5_000) },
  );
});

test("parsing terminates for any bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom(
            `--${BOUNDARY}`,
            "--",
            "\r\n",
            "\r\n\r\n",
            'Content-Disposition: form-data; name="file"; filename="x"',
            "Content-Disposition: form-data",
            'name="file"',
            "Content-Type: ;;;",
            ": ",
            "\0",
          ),
          fc.string({ unit: "binary", maxLength: 30 }),
        ),
        { maxLength: 30 },
      ),
      cuts,
      async (words, at) => {
        const form = Buffer.from(words.join(""));
        const outcome = read(form.length > 0 ? split(form, at) : []);
        await outcome.catch((error: unknown) => expect(error).toMatchObject({ code: "invalid_input" }));
      },
    ),
    { seed, numRuns: soakCount(200, 20_000) },
  );
});

const others21 = (content: string) => Array.from({ length: 21 }, () => part('name="purpose"', content));

test("ignores 20 other parts of 64 KiB in total", async () => {
  const around = others21("x".repeat(3_276)).slice(0, 20);
  expect(String(await read([...around, file("a"), END]))).toBe("a");
  expect(String(await read([file("a"), ...around, END]))).toBe("a");
});

test.each<[string, Buffer[], RegExp, string?]>([
  ["no part", [END], /is missing/],
  ["nothing at all", [], /cut off/],
  ["two files", [file("a"), file("b"), END], /only part of this name/],
  ["a file and a field of one name", [file("a"), part('name="file"', "x", ""), END], /needs a filename/],
  ["21 other parts", [...others21("x"), file("a"), END], /at most 20 other parts/],
  ["21 other parts behind it", [file("a"), ...others21("x"), END], /at most 20 other parts/],
  ["a large field", [part('name="purpose"', "x".repeat(65_537)), file("a"), END], /large/],
  ["a large file of another name", [part('name="b"; filename="b"', "x".repeat(65_537)), file("a"), END], /large/],
  ["large fields", [...others21("x".repeat(4_000)).slice(0, 17), file("a"), END], /large/],
  ["another name", [part('name="image"; filename="a.png"', "a"), END], /is missing/],
  ["a name in capitals", [part('name="File"; filename="a.png"', "a"), END], /is missing/],
  ["no name", [part('filename="a.png"', "a"), END], /is missing/],
  ["a field in place of the file", [part('name="file"', "a", ""), END], /needs a filename/],
  ["another field", [part('name="purpose"', "a"), END], /is missing/],
  ["no disposition", [Buffer.from(`--${BOUNDARY}\r\n\r\na\r\n`), END], /is missing/],
  ["another boundary", [file("a"), END], /cut off/, "multipart/form-data; boundary=other"],
  ["no boundary", [file("a"), END], /multipart\/form-data/, "multipart/form-data"],
  ["an empty parameter", [file("a"), END], /boundary/, "multipart/form-data;"],
  ["a JSON body", [Buffer.from("{}")], /multipart\/form-data/, "application/json"],
  ["a form of the other kind", [Buffer.from("file=a")], /multipart\/form-data/, "application/x-www-form-urlencoded"],
  ["no type", [file("a"), END], /multipart\/form-data/, ""],
  ["a mixed body", [file("a"), END], /multipart\/form-data/, `multipart/mixed; boundary=${BOUNDARY}`],
])("rejects %s with 400 about the file", async (_case, pieces, message, type = TYPE) => {
  const error = await read(pieces, { "content-type": type }).catch((error: unknown) => error);
  expect(error).toMatchObject({
    code: "invalid_input",
    extras: { errors: { file: [expect.stringMatching(message)] } },
  });
});

test("rejects a declared length before reading, and a longer body at its first excess byte", async () => {
  const declared = send([file("a"), END], { "content-length": "170000" });
  expect(() => readFilePart(declared, "file", LIMIT)).toThrow(/100,000 bytes/);
  expect(declared.bodyUsed).toBe(false);
  const preamble = Array.from({ length: 200 }, () => Buffer.alloc(1_000, "x"));
  await expect(read(preamble)).rejects.toMatchObject({ code: "payload_too_large" });
});

test("rejects an aborted body with 400", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(file("a")),
    pull: (controller) => controller.error(new Error("reset")),
  });
  const init = { method: "POST", headers: { "content-type": TYPE }, body: broken, duplex: "half" };
  const { chunks } = readFilePart(new Request("http://hub.test/", init), "file", LIMIT);
  await expect(Readable.from(chunks).toArray()).rejects.toMatchObject({ code: "invalid_input" });
});
