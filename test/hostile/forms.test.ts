import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { readFilePart } from "../../server/api/middleware/form";
import { readForm } from "../../server/api/openai/form";
import { measureLongestTurn } from "../longest-turn";
import { soakCount } from "../soak";
import { hostileForms, sendForm } from "./forms";

const MEBIBYTE = 1024 ** 2;
const BYTES = soakCount(24, 50) * MEBIBYTE;
const MAX_BYTES = 64 * MEBIBYTE;
const MAX_TURN_MS = 50;
const unlimited = { add: () => true, release: () => undefined };

// A machine that is stopped for a while counts that as a long turn.
test.each(hostileForms)("a form with $name is read in short turns", { retry: 2 }, async (form) => {
  const longestMs = await measureLongestTurn(() =>
    readForm(sendForm(form, BYTES), MAX_BYTES, unlimited).catch(() => undefined),
  );
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test.each(hostileForms)("an upload with $name is read in short turns", async (form) => {
  const longestMs = await measureLongestTurn(async () => {
    const { chunks } = readFilePart(sendForm(form, BYTES), "file", MAX_BYTES);
    await finished(Readable.from(chunks).resume()).catch(() => undefined);
  });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
