import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { readFilePart } from "../../server/api/middleware/form";
import { readForm } from "../../server/api/openai/form";
import { measureLongestTurnAgain } from "../longest-turn";
import { soakCount } from "../soak";
import { hostileForms, sendForm } from "./forms";

const MEBIBYTE = 1024 ** 2;
const BYTES = soakCount(24, 50) * MEBIBYTE;
const MAX_BYTES = 64 * MEBIBYTE;
const MAX_TURN_MS = 50;
const unlimited = { add: () => true, release: () => undefined };

test.each(hostileForms)("a form with $name is read in short turns", async (form) => {
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () =>
    readForm(sendForm(form, BYTES), MAX_BYTES, unlimited).catch(() => undefined),
  );
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test.each(hostileForms)("an upload with $name is read in short turns", async (form) => {
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, async () => {
    const { chunks } = readFilePart(sendForm(form, BYTES), "file", MAX_BYTES);
    await finished(Readable.from(chunks).resume()).catch(() => undefined);
  });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
