import { expect, test } from "vitest";
import { readEvents } from "./read-events";
import { ResponseTooLarge } from "./read-response-body";

const BOUNDS = { maxEventBytes: 64, maxBytes: 1_000, maxEvents: 20 };

async function* toChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield await Promise.resolve(bytes.subarray(start, start + size)); // prettier-ignore
}

async function read(text: string, size = 1_000): Promise<string[]> {
  const events: string[] = [];
  for await (const data of readEvents(toChunks(text, size), BOUNDS)) events.push(data.toString());
  return events;
}

test.each<[string, string, string[]]>([
  ["events", "data: a\n\ndata: b\n\n", ["a", "b"]],
  ["line ends of Windows", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["several lines", "data: a\ndata: b\n\n", ["a\nb\n"]],
  ["no space", "data:a\n\n", ["a"]],
  ["comments and other fields", ": hello\nevent: x\nid: 1\ndata: a\n\n: end\n\n", ["a"]],
  ["no last empty line", "data: a\n\ndata: é", ["a", "é"]],
  ["nothing", "", []],
])("reads %s, in pieces of any size", async (_name, text, events) => {
  for (const size of [1, 2, 3, 7, 1_000]) expect(await read(text, size)).toEqual(events);
});

test.each([
  ["an event that is too long", `data: ${"x".repeat(100)}\n\n`],
  ["a line without end", "x".repeat(100)],
  ["an event of many lines", "data: xxxxxxxxx\n".repeat(10)],
  ["too many events", "data: a\n\n".repeat(21)],
  ["too many comments", ":\n".repeat(21)],
  ["too many bytes", "\n".repeat(1_001)],
])("rejects %s", async (_name, text) => {
  for (const size of [1, 10, 1_000]) await expect(read(text, size)).rejects.toThrow(ResponseTooLarge);
});
