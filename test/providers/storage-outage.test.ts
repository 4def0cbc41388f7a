import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { StorageUnavailable } from "../../server/storage/storage";
import { openBrokenStorage } from "../broken-s3";
import { openFalDouble } from "./fal/double";
import { FAL_KEY } from "./fal/samples";
import { findViolations, openProviderHub } from "./generation-run";
import { KEY, openOpenaiDouble } from "./openai/double";

const [fal, openai] = [await openFalDouble(), await openOpenaiDouble()];
const model = (id: string, route: string) => `
  - id: ${id}
    output_modalities: [image]
    timeout_seconds: 30
    parameters_schema: { type: object, properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.004 }]
    routes: [${route}]`;
const providerHub = await openProviderHub(`
providers:
  - { id: fal, kind: fal, base_url: "${fal.url}", api_key: "${FAL_KEY}" }
  - { id: openai, kind: openai, base_url: "${openai.baseUrl}", api_key: "${KEY}" }
models:${model("queued", "{ provider: fal, upstream_model: fal-ai/flux/schnell }")}
${model("drawn", "{ provider: openai, upstream_model: gpt-image-2.5-flare }")}
`);
const { hub } = providerHub;
const disk = hub.storage;
const brokenStorage = await openBrokenStorage(null);
afterAll(() => Promise.all([fal.close(), openai.close()]));
beforeEach(() => void (hub.storage = disk));

const prompt = { prompt: "a tree" };
const secondsOf = async (id: string) => {
  const [row] = await hub.db.query<{ seconds: number }>(
    "SELECT extract(epoch FROM completed_at - started_at)::float8 AS seconds FROM generation WHERE id = $1",
    [id],
  );
  return row!.seconds;
};

test("a picture that only the hub has is stored as soon as the storage is back, and was bought once", async () => {
  const accepted = openai.accepted.length;
  openai.beforeNextResponse(async () => {
    hub.storage = brokenStorage;
    void delay(1_000).then(() => (hub.storage = disk));
  });
  const { status, billed, estimate } = await providerHub.run("drawn", prompt);
  expect([status, billed]).toEqual(["succeeded", estimate]);
  expect(openai.accepted).toHaveLength(accepted + 1);
});

test("an output is asked for again after the deadline, until the storage is back", async () => {
  const [accepted, downloads] = [fal.accepted.length, fal.downloads.length];
  fal.beforeNextResponse(async () => void (hub.storage = brokenStorage));
  let steps = 0;
  const { id, status, billed, estimate, attempts } = await providerHub.run("queued", prompt, {
    afterStep: async () => void ((steps += 1) === 20 && (hub.storage = disk)),
  });
  expect([status, billed, attempts.length]).toEqual(["succeeded", estimate, 1]);
  expect(await secondsOf(id)).toBeGreaterThan(30);
  expect(fal.accepted).toHaveLength(accepted + 1);
  // Nothing is downloaded while the storage is known to be unavailable.
  expect(fal.downloads.length - downloads).toBeLessThan(5);
});

test("an output that cannot be stored for ten minutes is given up, at no cost", async () => {
  const accepted = fal.accepted.length;
  fal.beforeNextResponse(async () => void (hub.storage = brokenStorage));
  const { id, status, billed, spent, reserved, error } = await providerHub.run("queued", prompt);
  expect({ status, billed, spent, reserved, code: error!.code }).toEqual({
    status: "failed",
    billed: 0n,
    spent: 0n,
    reserved: 0n,
    code: "internal_error",
  });
  const seconds = await secondsOf(id);
  expect(seconds).toBeGreaterThan(600);
  expect(seconds).toBeLessThan(640);
  expect(fal.accepted).toHaveLength(accepted + 1);
});

test("nothing is bought while the storage is known to be unavailable", async () => {
  let checks = 0;
  // It fails once the generation was accepted.
  const checkRoom = async () => {
    if ((checks += 1) > 1) throw new StorageUnavailable("The storage does not respond.");
  };
  hub.storage = { ...disk, checkRoom };
  const accepted = fal.accepted.length;
  const { status, error, attempts } = await providerHub.run("queued", prompt);
  expect([status, error!.code, attempts]).toEqual(["failed", "timeout", []]);
  expect(fal.accepted).toHaveLength(accepted);
});

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
