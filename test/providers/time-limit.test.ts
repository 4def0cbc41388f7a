import { afterAll, expect, test } from "vitest";
import type { SubmitFault } from "./double";
import { openFalDouble } from "./fal/double";
import { FAL_KEY } from "./fal/samples";
import { findViolations, openProviderHub, type RunOptions } from "./generation-run";
import { KEY, openOpenaiDouble } from "./openai/double";
import { PNG } from "./outputs";

const TIMEOUT_SECONDS = 30;
const [fal, openai] = [await openFalDouble(), await openOpenaiDouble()];
const TIERS = "[{ match: {}, price_usd: 0.004 }]";
const model = (id: string, seconds: number, pricing: string, route: string) => `
  - id: ${id}
    output_modalities: [image]
    timeout_seconds: ${seconds}
    parameters_schema: { type: object, properties: { prompt: { type: string, maxLength: 100 } } }
    ${pricing}
    routes: [${route}]`;
const providerHub = await openProviderHub(`
providers:
  - { id: fal, kind: fal, base_url: "${fal.url}", api_key: "${FAL_KEY}" }
  - { id: openai, kind: openai, base_url: "${openai.baseUrl}", api_key: "${KEY}" }
models:${model("queued", TIMEOUT_SECONDS, `pricing_tiers: ${TIERS}`, "{ provider: fal, upstream_model: fal-ai/flux/schnell }")}
${model("drawn", 1, `pricing: { per: 1k_output_tokens, max_output_tokens: 6240, tiers: ${TIERS} }`, "{ provider: openai, upstream_model: gpt-image-2.5-flare }")}
`);
const { hub } = providerHub;
afterAll(() => Promise.all([fal.close(), openai.close()]));

/** Runs a generation and returns how it ended, and after how many seconds from its start. */
async function run(name: string, options?: RunOptions) {
  const end = await providerHub.run(name, { prompt: "a tree" }, options);
  const [{ seconds } = { seconds: NaN }] = await hub.db.query<{ seconds: number }>(
    "SELECT extract(epoch FROM completed_at - started_at)::float8 AS seconds FROM generation WHERE id = $1",
    [end.id],
  );
  return { ...end, seconds };
}
const late = TIMEOUT_SECONDS + 15;

const submitFaults: SubmitFault[] = ["500 after", "half of the JSON", "garbage", "reset within the response"];
test.each(submitFaults)("fal: a submit with %s ends in time", async (fault) => {
  fal.failNextSubmits(fault);
  const { status, seconds, billed } = await run("queued");
  expect([status, billed]).toEqual(["failed", 0n]);
  expect(seconds).toBeLessThan(late);
});

test.each([
  ["a status that fails", { result: { status: 500, body: {} } }],
  ["an unknown state", { state: "WHATEVER", result: { status: 200, body: {} } }],
  ["half of a result", { result: { status: 200, body: Buffer.from('{"images": [') } }],
])("fal: a job with %s ends in time, and costs nothing", async (_, end) => {
  fal.endNextJobs(end);
  const { status, seconds, billed } = await run("queued");
  expect([status, billed]).toEqual(["failed", 0n]);
  expect(seconds).toBeLessThan(late);
});

test.each([
  ["is empty", { status: 200, headers: { "content-type": "image/png" }, body: Buffer.alloc(0) }],
  ["redirects to a file", { status: 302, headers: { location: "file:///etc/passwd" } }],
  ["redirects to nowhere", { status: 307 }],
])("fal: an output whose download %s ends in time", async (_, response) => {
  const before = fal.files.get("/files/picture.png")!;
  fal.files.set("/files/picture.png", response);
  const downloads = fal.downloads.length;
  const { status, seconds, error } = await run("queued");
  fal.files.set("/files/picture.png", before);
  expect([status, error!.code]).toEqual(["failed", "invalid_output"]);
  expect(seconds).toBeLessThan(late);
  // A redirect that cannot be followed is as final as a wrong content.
  expect(fal.downloads.length - downloads).toBe(1);
});

test("fal: an output whose download fails for ever ends in time: each repetition renews the claim", async () => {
  const before = fal.files.get("/files/picture.png")!;
  fal.files.set("/files/picture.png", { status: 500, body: "no" });
  const leftSeconds: number[] = [];
  const { status, seconds, error } = await run("queued", {
    afterStep: async () => {
      const [row] = await hub.db.query<{ seconds: number }>(
        `SELECT extract(epoch FROM claim_expires_at - $1::timestamptz)::float8 AS seconds FROM generation
         WHERE status = 'running' AND id = (SELECT max(id::text)::uuid FROM generation)`,
        [hub.now()],
      );
      if (fal.downloads.length > 0 && row) leftSeconds.push(row.seconds);
    },
  });
  fal.files.set("/files/picture.png", before);
  expect([status, error!.code]).toEqual(["failed", "invalid_output"]);
  expect(seconds).toBeLessThan(late);
  expect(Math.min(...leftSeconds)).toBeGreaterThan(25);
});

const picture = { b64_json: PNG.toString("base64") };
test.each([
  // Compatible servers that count nothing.
  ["zeros", { input_tokens: 0, output_tokens: 0 }],
  ["negative counts", { input_tokens: -1, output_tokens: -1 }],
  ["fractions", { input_tokens: 0.5, output_tokens: 1e300 }],
  ["texts", { input_tokens: "many", output_tokens: null }],
  ["no object", 7],
])("openai: usage with %s ends with a success at the estimate", async (_, usage) => {
  openai.respondNext({ status: 200, body: { data: [picture], usage } });
  const { status, billed, estimate } = await run("drawn");
  expect([status, billed]).toEqual(["succeeded", estimate]);
});

test.each([
  ["a 500 after the submit", { status: 500, body: {} }],
  ["half of the JSON", { status: 200, body: Buffer.from('{"data": [') }],
  ["a redirect to a file", { status: 302, headers: { location: "file:///etc/passwd" } }],
  ["an output that is a file", { status: 200, body: { data: [{ url: "file:///etc/passwd" }] } }],
  ["an output that cannot be downloaded", { status: 200, body: { data: [{ url: `${openai.url}/none` }] } }],
])("openai: %s ends in time, and costs nothing", async (_, response) => {
  openai.respondNext(response);
  const { status, seconds, billed } = await run("drawn");
  expect([status, billed]).toEqual(["failed", 0n]);
  expect(seconds).toBeLessThan(15);
});

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
