import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { runToEnd, startHub } from "../../e2e/server";
import { openReceiver } from "../webhooks/receiver";

const steps =
  /Uploaded an image \(image\/png, \d+ bytes\)[\s\S]+202: generation \S+ is queued[\s\S]+billed 0\.0092 EUR[\s\S]+A chat answered "[\s\S]+exactly what was billed/;

test("the tour completes against a running hub, and fails when none is running", { timeout: 120_000 }, async () => {
  const receiver = await openReceiver();
  const authority = path.resolve(import.meta.dirname, "../authority/authority.cert.pem");
  const hub = await startHub({ env: { OUTBOUND_ALLOW_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS: authority } });
  const env = { HUB_DATA_DIR: hub.dataDir, PORT: new URL(hub.url).port };
  const tour = (...values: string[]) => runToEnd(["--import", "tsx", "scripts/tour/tour.ts", ...values], env);
  const images: string[] = [];
  try {
    for (const values of [[], ["--webhook", receiver.url]]) {
      const { code, stdout, stderr } = await tour(...values);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(steps);
      const [, image] = /image\/png, \d+ bytes\) to (\S+)$/m.exec(stdout)!;
      images.push(image!);
      expect((await readFile(image!)).subarray(1, 4).toString()).toBe("PNG");
      if (values.length > 0) expect(stdout).toContain(`The delivery to ${receiver.url} was answered with 204.`);
    }
    expect(new Set(images.map((image) => path.dirname(image))).size).toBe(2);
    expect(receiver.events()).toEqual(["generation.completed"]);
  } finally {
    await hub.stop();
    await Promise.all(images.map((image) => rm(path.dirname(image), { recursive: true })));
  }
  const withoutHub = await tour();
  expect(withoutHub.code).toBe(1);
  expect(withoutHub.stdout).toBe("");
});
