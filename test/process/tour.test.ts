import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { runToEnd, startHub } from "../../e2e/server";
import { openReceiver } from "../webhooks/receiver";

const steps =
  /Uploaded a picture of \d+ bytes: image\/png[\s\S]+202: generation \S+ is queued[\s\S]+billed 0\.0092 EUR[\s\S]+A chat answered "[\s\S]+by exactly what was billed/;

test("the tour walks the main job of a running hub, and says when there is none", { timeout: 120_000 }, async () => {
  const receiver = await openReceiver();
  const authority = path.resolve(import.meta.dirname, "../authority/authority.cert.pem");
  const hub = await startHub({ env: { OUTBOUND_ALLOW_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS: authority } });
  const env = { HUB_DATA_DIR: hub.dataDir, PORT: new URL(hub.url).port };
  const tour = (...values: string[]) => runToEnd(["--import", "tsx", "scripts/tour/tour.ts", ...values], env);
  const pictures: string[] = [];
  try {
    for (const values of [[], ["--webhook", receiver.url]]) {
      const { code, stdout, stderr } = await tour(...values);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(steps);
      const [, picture] = /image\/png of \d+ bytes is at (\S+)\.$/m.exec(stdout)!;
      pictures.push(picture!);
      expect((await readFile(picture!)).subarray(1, 4).toString()).toBe("PNG");
      if (values.length > 0) expect(stdout).toContain(`${receiver.url} was told of it, and answered 204.`);
    }
    expect(new Set(pictures.map((picture) => path.dirname(picture))).size).toBe(2);
    expect(receiver.events()).toEqual(["generation.completed"]);
  } finally {
    await hub.stop();
    await Promise.all(pictures.map((picture) => rm(path.dirname(picture), { recursive: true })));
  }
  const alone = await tour();
  expect(alone.code).toBe(1);
  expect(alone.stdout).toBe("");
});
