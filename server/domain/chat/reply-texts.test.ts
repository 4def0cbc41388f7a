import { expect, test } from "vitest";
import { findMedium, listTexts } from "./reply-texts";

const DATA = "data:image/png;base64,AAAA";

test.each<[string, Record<string, unknown>, string[], "audio" | "image" | null]>([
  ["text", { role: "assistant", content: "Hi" }, ["Hi"], null],
  ["text that is a data: URL", { content: DATA }, [DATA], null],
  ["text in parts", { content: [{ type: "text", text: DATA }] }, [DATA], null],
  ["reasoning under two names", { reasoning: "So", reasoning_content: "So" }, ["So"], null],
  ["sound", { audio: { id: "audio_1", data: "AAAA", expires_at: 1 } }, [], "audio"],
  ["a transcript", { audio: { id: "audio_1", transcript: "Hi" } }, ["Hi"], null],
  ["sound and its transcript", { audio: { data: "AAAA", transcript: "Hi" } }, ["Hi"], "audio"],
  ["no sound", { content: "Hi", audio: null }, ["Hi"], null],
  ["pictures", { content: "", images: [{ type: "image_url", image_url: { url: DATA } }] }, [""], "image"],
  ["pictures by URL", { images: [{ type: "image_url", image_url: { url: "https://cdn.test/1" } }] }, [], "image"],
  ["pictures among parts", { content: [{ type: "image_url", image_url: { url: DATA } }] }, [], "image"],
  ["pictures without an object", { content: [{ type: "image_url", image_url: DATA }] }, [], "image"],
  ["a file", { files: [{ type: "file", url: DATA }] }, [], "image"],
  [
    "calls",
    { tool_calls: [{ id: "call_1", type: "function", function: { name: "play", arguments: `{"audio":"${DATA}"}` } }] },
    ["play", `{"audio":"${DATA}"}`],
    null,
  ],
  [
    "calls whose arguments are no text",
    { tool_calls: [{ function: { name: "play", arguments: { audio: "loud", url: "https://cdn.test" } } }] },
    ["play", "loud", "https://cdn.test"],
    null,
  ],
])("lists what a model has generated of %s", (_name, message, texts, medium) => {
  expect([...listTexts(message)]).toEqual(texts);
  expect(findMedium(message)).toBe(medium);
});
