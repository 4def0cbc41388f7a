import { expect, test } from "vitest";
import { runToEnd, startHub } from "../../e2e/server";

test("the tour walks the main job of a running hub, and says when there is none", { timeout: 120_000 }, async () => {
  const hub = await startHub();
  const env = { HUB_DATA_DIR: hub.dataDir, PORT: new URL(hub.url).port };
  const tour = () => runToEnd(["--import", "tsx", "scripts/tour/tour.ts"], env);
  try {
    for (let times = 0; times < 2; times += 1) {
      const { code, stdout, stderr } = await tour();
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(
        /Uploaded a picture of \d+ bytes: image\/png[\s\S]+202: generation \S+ is queued[\s\S]+billed 0\.0092 EUR[\s\S]+by exactly what was billed/,
      );
    }
  } finally {
    await hub.stop();
  }
  const alone = await tour();
  expect(alone.code).toBe(1);
  expect(alone.stdout).toBe("");
});
