import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeAbandonedDrafts, withDraft } from "./draft";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-draft-"));
const target = path.join(folder, "data");
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that fills a draft and runs until it is killed. */
async function startFilling() {
  const script = `
    import { writeFile } from "node:fs/promises";
    import { withDraft } from ${JSON.stringify(path.resolve("server/db/embedded/draft.ts"))};
    await withDraft(${JSON.stringify(target)}, async (draft) => {
      await writeFile(draft + "/password", "secret");
      process.stdout.write("filling");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  return child;
}

test("removes the draft of a killed process, but not one that another process is filling", async () => {
  const child = await startFilling();
  await withDraft(target, async (own) => {
    await removeAbandonedDrafts(target);
    expect(await readdir(folder)).toHaveLength(2);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await removeAbandonedDrafts(target);
    expect(await readdir(folder)).toEqual([path.basename(own)]);
  });
  expect(await readdir(folder)).toEqual([]);
});

test("removes a draft when filling it fails", async () => {
  await expect(withDraft(target, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(await readdir(folder)).toEqual([]);
});
