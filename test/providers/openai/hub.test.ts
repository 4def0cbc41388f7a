import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import { runAudit } from "../../../server/domain/audit/audit";
import { callApi } from "../../api/call";
import { type Customer, newCustomer } from "../../api/customer";
import { openRunningHost } from "../../api/hosts";
import { catalogueWith } from "../../catalogue";
import type { SubmitFault } from "../double";
import { buildWav, drawPicture } from "./contents";
import { KEY, openOpenaiDouble, reject, TRANSCRIPT } from "./double";

// The whole way of a job: from the customer's request to the stored output, through a real hub and its job engine.
const [first, second] = [await openOpenaiDouble(), await openOpenaiDouble({ flavour: "localai" })];
const host = await openRunningHost({ OUTBOUND_ALLOW_HOSTS: new URL(first.url).host });
afterAll(() => Promise.all([first.close(), second.close()]));

const catalogue = `
providers:
  - { id: first, kind: openai, base_url: "${first.baseUrl}", api_key: ${KEY} }
  - { id: second, kind: openai, base_url: "${second.baseUrl}", api_key: ${KEY} }
models:
  - id: poster
    input_modalities: [text, image]
    output_modalities: [image]
    parameters_schema:
      type: object
      properties:
        prompt: { type: string, maxLength: 32000 }
        image_input: { type: array, maxItems: 16, items: { type: string, format: uri } }
    pricing_tiers: [{ match: {}, price_usd: 0.05 }]
    routes:
      - { provider: first, upstream_model: gpt-image-2.5-flare, rename: { image_input: image } }
      - { provider: second, upstream_model: flux, rename: { image_input: image } }
  - id: voice
    output_modalities: [audio]
    parameters_schema: { type: object, properties: { text: { type: string, maxLength: 4096 }, voice: { enum: [alloy], default: alloy } } }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: first, upstream_model: gpt-4o-mini-tts, rename: { text: input } }]
  - id: notes
    input_modalities: [audio]
    parameters_schema: { type: object, properties: { audio: { type: string, format: uri } } }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: first, upstream_model: gpt-transcribe, rename: { audio: file } }]
`;

let customer: Customer;
beforeAll(async () => {
  const { models } = parseCatalogue(catalogue, { file: "test", variables: {} });
  host.hub.catalogue = catalogueWith(models);
  customer = await newCustomer(host.hub, { credit: 10 });
});

const get = async (path: string) => (await callApi(host, "GET", path, { key: customer.key })).body;

/** Creates a generation and returns it when it has ended. */
async function generate(model: string, input: Record<string, unknown>) {
  const body = { model, input };
  const created = await callApi(host, "POST", "/api/v1/hub/generations", { key: customer.key, body });
  expect(created.status).toBe(202);
  const path = `/api/v1/hub/generations/${String(created.body.id)}`;
  await expect.poll(async () => (await get(path)).status).toMatch(/succeeded|failed/);
  const attempts = (await get(`${path}/attempts`)).data as { route: string; outcome: string }[];
  const generation = (await get(path)) as {
    status: string;
    error: { code: string; message: string } | null;
    outputs: { url: string; media_type: string }[];
  };
  return { ...generation, attempts: attempts.map(({ route, outcome }) => [route, outcome]) };
}

async function upload(content: Buffer, name: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), name);
  const headers = { authorization: `Bearer ${customer.key}` };
  const response = await fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: form });
  return ((await response.json()) as { url: string }).url;
}

async function download({ url }: { url: string }): Promise<Buffer> {
  const headers = { authorization: `Bearer ${customer.key}` };
  return Buffer.from(await (await fetch(url.replace("https://hub.test", host.url), { headers })).arrayBuffer());
}

describe("a job", () => {
  test("draws a picture, and edits one of the customer's files", async () => {
    const drawn = await generate("poster", { prompt: "a lighthouse" });
    expect(drawn).toMatchObject({ status: "succeeded", outputs: [{ media_type: "image/png" }] });
    expect(first.requests.at(-1)!.url.pathname).toBe("/v1/images/generations");
    const edited = await generate("poster", {
      prompt: "add a boat",
      image_input: [await upload(await drawPicture("webp"), "a.webp"), drawn.outputs[0]!.url],
    });
    expect(edited).toMatchObject({ status: "succeeded", attempts: [["first:gpt-image-2.5-flare", "succeeded"]] });
    expect(first.inputs.at(-1)!.image).toEqual([
      { name: "input.webp", type: "image/webp" },
      { name: "input.png", type: "image/png" },
    ]);
  });

  test("speaks, and writes down what was said", async () => {
    const spoken = await generate("voice", { text: "hello" });
    expect(spoken).toMatchObject({ status: "succeeded", outputs: [{ media_type: "audio/mpeg" }] });
    const written = await generate("notes", { audio: await upload(buildWav(3), "a.wav") });
    expect(written).toMatchObject({ status: "succeeded", outputs: [{ media_type: "application/json" }] });
    expect(JSON.parse((await download(written.outputs[0]!)).toString())).toMatchObject({ text: TRANSCRIPT });
  });
});

test("a rejection whose cut would split an emoji fails its own job, and not those beside it", async () => {
  const message = `${"no ".repeat(166)}n🦊 and\0more`;
  first.respondNext(reject(400, message, "invalid_value"));
  const ended = await Promise.all(Array.from({ length: 3 }, () => generate("voice", { text: "hello" })));
  expect(ended.map(({ status }) => status).sort()).toEqual(["failed", "succeeded", "succeeded"]);
  const { code, message: shown } = ended.find(({ error }) => error !== null)!.error!;
  expect(code).toBe("provider_refused");
  expect(shown).toMatch(/no n\.$/);
});

test("a job whose picture cannot be read is never begun", async () => {
  const before = first.accepted.length + second.accepted.length;
  expect(await generate("poster", { prompt: "x", image_input: [`${first.url}/missing.png`] })).toMatchObject({
    status: "failed",
    billed_cost: 0,
    error: { code: "input_unavailable" },
  });
  expect(first.accepted.length + second.accepted.length).toBe(before);
});

describe("a failed submit", () => {
  // The route's breaker would otherwise pass it over after the first of them.
  beforeEach(() =>
    host.hub.services.routeHealth.recordSuccess(host.hub.catalogue.get("poster")!.routes[0]!, new Date()),
  );

  const submit = async (...faults: SubmitFault[]) => {
    const before = first.accepted.length + second.accepted.length;
    first.failNextSubmits(...faults);
    const generation = await generate("poster", { prompt: "a lighthouse" });
    return { ...generation, accepted: first.accepted.length + second.accepted.length - before };
  };

  test.each<SubmitFault>(["401", "404", "429", "503"])("with %s is served by the next route", async (fault) => {
    expect(await submit(fault)).toMatchObject({
      status: "succeeded",
      accepted: 1,
      attempts: [
        ["first:gpt-image-2.5-flare", "refused"],
        ["second:flux", "succeeded"],
      ],
    });
  });

  test.each<SubmitFault>(["500 after", "reset after", "half of the JSON", "garbage"])(
    "with %s is lost, costs the customer nothing, and is never repeated",
    async (fault) => {
      expect(await submit(fault)).toMatchObject({
        status: "failed",
        billed_cost: 0,
        accepted: 1,
        attempts: [["first:gpt-image-2.5-flare", "lost"]],
      });
    },
  );

  test("by safety rules is final", async () => {
    const before = second.accepted.length;
    expect(await generate("poster", { prompt: "[unsafe]" })).toMatchObject({
      status: "failed",
      billed_cost: 0,
      error: { code: "content_refused", retryable: false },
    });
    expect(second.accepted.length).toBe(before);
  });

  test("leaves no violation for the audit", async () => {
    expect((await runAudit(host.hub.db)).violations).toEqual([]);
  });
});
