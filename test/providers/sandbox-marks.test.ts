import { expect, test } from "vitest";
import { testHub } from "../hub";
import { findViolations, openProviderHub } from "./generation-run";

const sandbox = await openProviderHub("models: []");
sandbox.hub.catalogue = (await testHub()).catalogue;

/** The newest outputs with what is known of their marks. */
const listMarks = (generation: string) =>
  sandbox.hub.db.query("SELECT media_type, mark FROM file WHERE generation_id = $1", [generation]);

test.each([
  ["sandbox-image", { prompt: "a hill", format: "png" }, "image/png", "xmp"],
  ["sandbox-image", { prompt: "a hill", format: "jpeg" }, "image/jpeg", "xmp"],
  ["sandbox-image", { prompt: "a hill", format: "webp" }, "image/webp", "xmp"],
  ["sandbox-speech", { input: "a hill" }, "audio/wav", "xmp"],
  ["sandbox-video", { prompt: "a hill" }, "video/webm", "unsupported_format"],
])("%s marks %o", async (model, input, media_type, mark) => {
  const { id, status } = await sandbox.run(model, input);
  expect(status).toBe("succeeded");
  expect(await listMarks(id)).toEqual([{ media_type, mark }]);
});

test("every output that can have a mark has one, and the audit finds no violation", async () => {
  expect(await findViolations(sandbox)).toEqual([]);
});
