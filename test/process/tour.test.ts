import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeDataDir, runToEnd, startHub } from "../../e2e/server";
import { openReplicateDouble } from "../providers/replicate/double";
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

const catalogue = (baseUrl: string) => `
providers: [{ id: replicate, kind: replicate, base_url: "${baseUrl}", api_key: test-key-0123456789 }]
models:
${[
  ["dear", 0.05],
  ["cheap", 0.003],
]
  .map(
    ([id, price]) => `
  - id: ${id}
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 4000 } } }
    pricing_tiers: [{ match: {}, price_usd: ${price} }]
    routes: [{ provider: replicate, upstream_model: black-forest-labs/flux-schnell }]`,
  )
  .join("")}
`;

test("the tour of a provider has it draw the cheapest picture once", { timeout: 120_000 }, async () => {
  const double = await openReplicateDouble();
  double.settings.callbacks = "lost";
  const dataDir = await makeDataDir();
  const file = path.join(dataDir, "catalogue.yaml");
  await writeFile(file, catalogue(double.base));
  const settings = { HUB_CATALOGUE: file, SANDBOX: "off", EUR_PER_USD: "1" };
  const hub = await startHub({ env: settings, dataDir });
  const env = { ...settings, HUB_DATA_DIR: dataDir, PORT: new URL(hub.url).port };
  const tour = (provider: string) => runToEnd(["--import", "tsx", "scripts/tour/tour.ts", "--provider", provider], env);
  try {
    const { code, stdout, stderr } = await tour("replicate");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/one of cheap: at most 0\.003 EUR[\s\S]+billed 0\.003 EUR[\s\S]+exactly what was billed/);
    expect(stdout).toMatch(/attempt at replicate\S* succeeded; it cost you 0\.003 EUR/);
    expect(double.accepted).toHaveLength(1);
    const [, picture] = /bytes\) to (\S+)$/m.exec(stdout)!;
    await rm(path.dirname(picture!), { recursive: true });
    const unknown = await tour("nobody");
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("npm run hub -- provider add nobody");
  } finally {
    await hub.stop();
    await double.close();
  }
});
