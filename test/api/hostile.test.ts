import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../soak";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();
const { key } = await newCustomer(host.hub, { credit: 1_000 });

const nasty = fc.constantFrom<unknown>(
  "\u0000", "\ud800", "\udfff\ud800", "__proto__", "constructor", "toString", "$ref", "$data", "'; DROP TABLE generation; --",
  "1k", "16:9", "sandbox-image", "sha256:zz", "http://169.254.169.254/", "data:,x", -0, 1e308, 5e-324, Number.MAX_SAFE_INTEGER + 2,
  null, true, [], {}, [[]], "x".repeat(5_000), "é\u202e\ufeff", { __proto__: null, length: -1 },
); // prettier-ignore
const names = fc.oneof(
  fc.constantFrom(
    "prompt",
    "resolution",
    "aspect_ratio",
    "image_input",
    "format",
    "__proto__",
    "constructor",
    "",
    "a.b",
    "/",
    "~1",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    nasty,
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.double(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 5 }),
  ),
})).value;

const prompt = fc.string({ unit: "binary", minLength: 1, maxLength: 50 }).map((text) => text.replaceAll("\0", ""));
const input = fc.oneof(
  fc.record({ prompt, resolution: fc.constantFrom("1k", "2k", "8k"), seed: json }, { requiredKeys: ["prompt"] }),
  fc.dictionary(names, json, { maxKeys: 6 }),
  json,
);
const request = fc.record(
  {
    model: fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>("sandbox-image") }, json),
    input,
    batch_id: json,
    extra: json,
  },
  { requiredKeys: ["model", "input"] },
);

/** Breaks a text as a bad client or a bad network would. */
const broken = fc.tuple(
  request,
  fc.nat(),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("cut", "insert", "repeat", "raw"),
);
const harmless = fc.record({ model: fc.constant("sandbox-image"), input: fc.record({ prompt }) });
const body = fc.oneof(
  { weight: 4, arbitrary: harmless.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: request.map((value) => JSON.stringify(value)) },
  broken.map(([value, at, junk, way]) => {
    const text = JSON.stringify(value);
    const location = at % (text.length + 1);
    if (way === "cut") return text.slice(0, location);
    if (way === "insert") return text.slice(0, location) + junk + text.slice(location);
    if (way === "repeat") return text.slice(0, location).repeat(3) + text.slice(location);
    return junk;
  }),
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    '{"model":"sandbox-image","input":{"prompt":"\\ud800"}}',
    '{"model":"sandbox-image","input":{"prompt":"\\u0000"}}',
    '{"model":"sandbox-image","input":{"prompt":1e999}}',
  ),
);
const idempotencyKey = fc.oneof(
  fc.constantFrom("", "a", "b", "é", "k".repeat(256)),
  fc.string({ minLength: 1, maxLength: 20 }).map(encodeURIComponent),
);
const types = ["text/json; charset=utf-8", "text/html", "application/json; charset=utf-16", ";;;", "a/b+json"];
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Record<string, string>>({}) },
  fc.record({ "content-type": fc.constantFrom(...types) }),
  idempotencyKey.map((value): Record<string, string> => ({ "idempotency-key": value })),
);
const path = fc.constantFrom(
  "/api/v1/hub/generations",
  "/api/v1/hub/generations",
  "/api/v1/hub/models/sandbox-image/pricing",
  "/api/v1/hub/generations/019aa535-6c00-7a3e-9b11-5a4f6e0c2d10/cancel",
  "/api/v1/hub/characters/1/cancel",
);

test("no hostile body causes a server error", async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(path, body, headers, async (target, sent, head) => {
      const { status, body: answer } = await callApi(host, "POST", target, { key, body: sent, headers: head });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // 503 only means that a request with the same idempotency key is in progress.
      expect(status < 500 || answer.code === "generation_in_progress", JSON.stringify({ status, answer })).toBe(true);
    }),
    { seed, numRuns: soakCount(200, 10_000) },
  );
  // The bodies reach every check; otherwise the test would prove little.
  for (const status of [202, 400, 404]) expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(20);
  const [{ count } = { count: 0n }] = await host.hub.db.query<{ count: bigint }>("SELECT count(*) FROM generation");
  expect(Number(count)).toBe(seen.get(202));
}, 600_000);
