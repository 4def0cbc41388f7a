import { expect, test } from "vitest";
import { createTranscript } from "./transcript";

const MAX_LENGTH = 256 * 1024;

test("a text that is too long is cut before a pair of surrogates, and nothing follows the cut", () => {
  const transcript = createTranscript();
  for (const content of ["x".repeat(MAX_LENGTH - 1), "🦊", "y"])
    transcript.add({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  const { choices } = transcript.toCompletion("stop");
  expect(choices).toEqual([
    { index: 0, message: { role: "assistant", content: "x".repeat(MAX_LENGTH - 1) }, finish_reason: "length" },
  ]);
});
