import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { passUntil } from "./store-outputs";

async function* drip(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from("a");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("passes on what comes in time", async () => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of passUntil(
    Readable.from([Buffer.from("a"), Buffer.from("b")]),
    performance.now() + 10_000,
  )) {
    chunks.push(chunk);
  }
  expect(Buffer.concat(chunks).toString()).toBe("ab");
});

test.each([
  ["drips", drip],
  // A server that declares more than it sends keeps its reader waiting.
  ["stalls", () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) })],
])("a download that %s fails when its time is over", async (_, open) => {
  const read = async () => {
    for await (const chunk of passUntil(open(), performance.now() + 50)) expect(chunk).toHaveLength(1);
  };
  await expect(read()).rejects.toMatchObject({ name: "DownloadFailed" });
});
