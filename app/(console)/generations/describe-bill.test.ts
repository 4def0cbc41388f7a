import { expect, test } from "vitest";
import { defaultFormats, getFormats } from "../../ui/formats";
import { describeBill } from "./describe-bill";

type Billed = Parameters<typeof describeBill>[0];

const images = {
  by: "tier",
  match: { resolution: "2k" },
  price_usd: 0.04,
  eur_per_usd: 0.92,
  unit: "image",
  quantity: 4,
} as const;
const settled = { status: "succeeded", completed_at: "2026-11-22T10:00:00.000Z", tokens: null } as const;
const explain = (changes: Partial<Billed>, formats = defaultFormats) =>
  describeBill({ ...settled, price: images, estimated_cost: 0.1472, billed_cost: 0.1472, ...changes }, formats);

test("a bill names units, price, rate and tier", () => {
  expect(explain({})).toEqual({
    sum: "4 images × $0.04 per image × 0.92 €/$ = €0.1472",
    tier: "for resolution 2k",
    reason: "Exactly the reserved amount was charged.",
  });
});

test("a bill of fewer units says how many of those requested", () => {
  expect(explain({ billed_cost: 0.0368 })).toMatchObject({
    sum: "1 image × $0.04 per image × 0.92 €/$ = €0.0368",
    reason: "1 of 4 images requested. The rest of the reserved amount was released.",
  });
});

test("a price that falls after the first unit names both", () => {
  const price = { ...images, next_price_usd: 0.02 };
  expect(explain({ price, estimated_cost: 0.092, billed_cost: 0.0552 }).sum).toBe(
    "2 images ($0.04 for the first, then $0.02) × 0.92 €/$ = €0.0552",
  );
});

test("characters, tokens and seconds are counted one by one", () => {
  const characters = { ...images, unit: "1k_characters", quantity: 1.234 } as const;
  expect(explain({ price: characters, estimated_cost: 0.0454112, billed_cost: 0.0454112 }).sum).toContain(
    "1,234 characters × $0.04 per 1,000 characters",
  );
  const gpu = { by: "gpu-second", price_per_second: 0.0005, most_seconds: 600 } as const;
  expect(explain({ price: gpu, estimated_cost: 0.3, billed_cost: 0.021 })).toMatchObject({
    sum: "42 seconds of GPU time × €0.0005 per second = €0.021",
    reason: "Reserved for up to 600 seconds. The rest of the reserved amount was released.",
  });
});

const tokens = {
  by: "token",
  input_per_million: 0.15,
  output_per_million: 0.6,
  most_input_tokens: 90,
  most_output_tokens: 972,
} as const;

test("a chat's bill is the sum of its tokens, at most the estimate", () => {
  const used = { tokens: { input: 12, output: 26 }, serviceTier: null };
  const answered = { price: tokens, tokens: used, estimated_cost: 0.0005967 };
  expect(explain({ ...answered, billed_cost: 0.0000174 }).sum).toBe(
    "12 input tokens × €0.15 per 1M + 26 output tokens × €0.60 per 1M = €0.0000174",
  );
  expect(explain({ ...answered, estimated_cost: 0.00001, billed_cost: 0.00001 }).reason).toContain("More was used");
  expect(explain({ ...answered, tokens: null, billed_cost: 0.0005967 }).sum).toBeNull();
});

test("a chat's bill names the classes of its tokens, and the prices of its length and tier", () => {
  const price = {
    ...tokens,
    cached_input_per_million: 0.05,
    cache_write_per_million: 0.2,
    long_context: [{ above: 1_000, input_per_million: 0.3, output_per_million: 0.9 }],
    service_tiers: { priority: 2 },
  };
  const short = { tokens: { input: 12, cached_input: 900, cache_write: 10, output: 26 }, serviceTier: null };
  const answered = { price, estimated_cost: 1, billed_cost: 0.5 };
  expect(explain({ ...answered, tokens: short }).sum).toBe(
    "12 input tokens × €0.15 per 1M + 900 cached input tokens × €0.05 per 1M + 10 tokens written to the cache × €0.20 per 1M" +
      " + 26 output tokens × €0.60 per 1M = €0.50",
  );
  const long = { tokens: { input: 1_001, output: 26 }, serviceTier: "priority" };
  expect(explain({ ...answered, tokens: long }).sum).toBe(
    "(1,001 input tokens × €0.30 per 1M + 26 output tokens × €0.90 per 1M) × 2 for priority = €0.50",
  );
  expect(explain({ ...answered, tokens: null, completed_at: null, status: "running", billed_cost: null }).sum).toBe(
    "Up to 90 input tokens and 972 output tokens at the highest prices that this request can reach = €1.00",
  );
});

test("what was not charged says why", () => {
  expect(explain({ status: "failed", billed_cost: 0 })).toMatchObject({
    sum: null,
    reason: "Failures are free. The reserved amount was released.",
  });
  expect(explain({ status: "canceled", billed_cost: null }).reason).toContain("Nothing was charged.");
  expect(explain({ status: "canceled", billed_cost: 0.1 })).toMatchObject({
    sum: null,
    reason: "You pay what the provider bills for the work until it stopped, up to the estimate.",
  });
  expect(explain({ status: "running", completed_at: null, billed_cost: null }).reason).toBe(
    "You never pay more than the estimate.",
  );
});

test("a bill is written in the reader's formats", () => {
  expect(explain({}, getFormats({ locale: "de-DE", timeZone: "UTC" })).sum).toBe(
    "4 images × 0,04\u00a0$ per image × 0,92 €/$ = 0,1472\u00a0€",
  );
});
