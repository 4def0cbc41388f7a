import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningHub, runToEnd, startHub } from "../../e2e/server";
import { runTour } from "../../scripts/tour/run-tour";
import { bundleProgram } from "../bundle-program";
import { runCommand, runHere } from "../command-line";
import { openReplicateDouble } from "../providers/replicate/double";
import { openReceiver } from "../webhooks/receiver";

const steps =
  /Uploaded an image \(image\/png, \d+ bytes\)[\s\S]+202: generation \S+ is queued[\s\S]+billed 0\.01 EUR[\s\S]+A chat answered "[\s\S]+exactly what was billed/;

const double = await openReplicateDouble();
double.settings.callbacks = "lost";
const receiver = await openReceiver();
const settings = {
  OUTBOUND_ALLOW_HOSTS: receiver.host,
  NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "../authority/authority.cert.pem"),
  REPLICATE_BASE_URL: double.base,
  REPLICATE_API_TOKEN: "test-key-0123456789",
  EUR_PER_USD: "1",
};
let hub: RunningHub;
const env: Record<string, string> = { ...settings };
beforeAll(async () => {
  hub = await startHub({ env: settings });
  Object.assign(env, { HUB_DATA_DIR: hub.dataDir, BASE_URL: hub.url });
});
afterAll(async () => {
  await hub.stop();
  await double.close();
});
/** Runs the tour in this process. */
const tour = (...values: string[]) => runHere(env, () => runTour(values));

test("the tour completes against a running hub", { timeout: 300_000 }, async () => {
  const images: string[] = [];
  const withWebhook = ["--webhook", receiver.url];
  try {
    for (const values of [[], withWebhook]) {
      const { code, stdout, stderr } = await tour(...values);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(steps);
      const [, image] = /image\/png, \d+ bytes\) to (\S+)$/m.exec(stdout)!;
      images.push(image!);
      expect((await readFile(image!)).subarray(1, 4).toString()).toBe("PNG");
      if (values.length > 0) expect(stdout).toContain(`The delivery to ${receiver.url} was answered with 204.`);
    }
    expect(new Set(images.map((image) => path.dirname(image))).size).toBe(images.length);
    expect(receiver.events()).toEqual(["generation.completed"]);
  } finally {
    await Promise.all(images.map((image) => rm(path.dirname(image), { recursive: true })));
  }
});

test("a key, two commands, and a provider draws one picture", { timeout: 300_000 }, async () => {
  const values = ["--provider", "replicate"];
  const early = await runToEnd([await bundleProgram("scripts/tour/tour.ts"), ...values], env);
  expect(early).toMatchObject({ code: 1, stdout: "" });
  expect(early.stderr).toContain("npm run hub -- provider add replicate");

  const added = await runCommand(["provider", "add", "replicate"], { ...settings, HUB_DATA_DIR: hub.dataDir });
  expect(added.code).toBe(0);
  expect(added.stdout).toContain("flux-schnell");
  // The double knows one of the models.
  expect(added.stderr).toMatch(/^FAILED +replicate +kwaivgi\/[^]+\nNot added: flux-2-pro, [\w., -]+\.$/m);

  const { code, stdout, stderr } = await tour(...values);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/one of flux-schnell: at most 0\.003 EUR[^]+billed 0\.003 EUR[^]+exactly what was billed/);
  expect(stdout).toMatch(/attempt at replicate\S* succeeded; it cost you 0\.003 EUR/);
  expect(double.accepted).toHaveLength(1);
  const [, picture] = /bytes\) to (\S+)$/m.exec(stdout)!;
  await rm(path.dirname(picture!), { recursive: true });
});

test("the tour fails when no hub is running", { timeout: 300_000 }, async () => {
  await hub.stop();
  const withoutHub = await tour();
  expect(withoutHub.code).toBe(1);
  expect(withoutHub.stdout).toBe("");
  expect(withoutHub.stderr).toMatch(/^No hub is running at /);
  // A label may have at most 63 characters, so no name server is asked for this one.
  env.BASE_URL = `http://${"x".repeat(64)}.invalid`;
  expect((await tour()).stderr).toMatch(/^The host x+\.invalid of BASE_URL does not resolve \(E\w+\)\. /);
});
