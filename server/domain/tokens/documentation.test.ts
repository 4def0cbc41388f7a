import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatDecimal, parseDecimal } from "../../lib/money";
import { readUsage } from "./reported-usage";
import { tokenCost } from "./token-cost";
import type { FrozenTokenPrices } from "./token-price";

const page = readFileSync("docs/pricing.md", "utf8");
const sectionOf = (title: string): string => page.split(/^## /m).find((section) => section.startsWith(`${title}\n`))!;
const readNumber = (text: string): number => Number(text.replaceAll(",", ""));

interface Example {
  name: string;
  prices: FrozenTokenPrices;
  usage: Record<string, unknown>;
  sum: string;
  total: string;
  euros: string;
}

const PARAGRAPHS = /^\*\*([^*]+)\*\*, ([^\n]*)\n\n([^\n]*) = ([\d,.]*\d), so (?:again )?€([\d.]*\d)\./gm;
const classNames: Record<string, string> = {
  new: "input",
  in: "input",
  cached: "cached_input",
  written: "cache_write",
  out: "output",
};
/** The members of a usage that are parts of another one. */
const detailsOf: Record<string, string> = {
  cached_tokens: "prompt_tokens_details",
  cache_write_tokens: "prompt_tokens_details",
  reasoning_tokens: "completion_tokens_details",
};

/** Returns the examples of the page. An example "at the same prices" has the prices of the one before it. */
function readExamples(): Example[] {
  const examples: Example[] = [];
  for (const [, name, text, sum, total, euros] of sectionOf("Examples").matchAll(PARAGRAPHS)) {
    const [described, reported] = [text!.slice(0, text!.indexOf(". ")), text!.slice(text!.indexOf(". "))];
    const prices = described.includes("at the same prices") ? examples.at(-1)!.prices : readPrices(described);
    examples.push({ name: name!, prices, usage: readMembers(reported), sum: sum!, total: total!, euros: euros! });
  }
  return examples;
}

function readPrices(text: string): FrozenTokenPrices {
  const [base, longer] = text.split(", and above that length at ");
  const [, priority] = /`priority: (\d+)`/.exec(text) ?? [];
  return {
    ...listPrices(base!),
    ...(longer && { long_context: [{ above: 272_000, ...listPrices(longer) }] }),
    ...(priority && { service_tiers: { priority: Number(priority) } }),
  };
}

const listPrices = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([\d.]+) (new|in|cached|written|out)\b/g)].map(([, price, word]) => [
      `${classNames[word!]!}_per_million`,
      Number(price),
    ]),
  ) as unknown as FrozenTokenPrices;

function readMembers(text: string): Record<string, unknown> {
  const usage: Record<string, unknown> = {};
  for (const [, name, value] of text.matchAll(/`(\w+): (\w+)`/g)) {
    const member = /^\d+$/.test(value!) ? Number(value) : value;
    const details = detailsOf[name!];
    if (details === undefined) usage[name!] = member;
    else usage[details] = { ...(usage[details] as object | undefined), [name!]: member };
  }
  return usage;
}

/** Returns the value of a formula such as "(12 × 2 + 1,000 × 0.1) × 2". */
function evaluate(sum: string): number {
  const [, inner = sum, factor = "1"] = /^\((.*)\) × (\d+)$/.exec(sum) ?? [];
  const products = inner.split(" + ").map((term) => term.split(" × ").map(readNumber));
  const nano = products.reduce((all, [count, price]) => all + BigInt(count!) * parseDecimal(price!), 0n);
  return Number(formatDecimal(nano * BigInt(factor)));
}

const examples = readExamples();

test("there is an example for each maker, of long prompts and of a tier", () => {
  expect(examples.map(({ name }) => name)).toEqual([
    "Anthropic",
    "OpenAI",
    "OpenAI above 272,000 tokens",
    "OpenAI with one token less",
    "Google",
    "DeepSeek",
    "xAI",
    "Mistral",
    "A tier of service",
  ]);
});

test.each(examples)("the example of $name is what the hub charges", ({ prices, usage, sum, total, euros }) => {
  expect(evaluate(sum)).toBe(readNumber(total));
  expect(readNumber(total) / 1e6).toBeCloseTo(Number(euros), 12);
  const { tokens, serviceTier, isImplausible } = readUsage(usage);
  expect(isImplausible).toBe(false);
  expect(tokenCost(prices, { tokens, serviceTier })).toBe(parseDecimal(euros));
});

const TURNS = 40;
const FIRST_PROMPT_TOKENS = 12_500;
const ADDED_TOKENS = 1_200;
const ANSWER_TOKENS = 300;

test("the session of a coding agent costs what the page says", () => {
  const rows = [...sectionOf("What a session of a coding agent costs").matchAll(/^\| `([^\n]*) \|$/gm)];
  const written = rows.map(([, row]) => row!.split(" | "));
  expect(written).toHaveLength(5);
  const computed = written.map(([model, input, cached, write, output]) => {
    const prices: FrozenTokenPrices = {
      input_per_million: Number(input),
      cached_input_per_million: Number(cached),
      ...(write !== "–" && { cache_write_per_million: Number(write) }),
      output_per_million: Number(output),
    };
    return [model, input, cached, write, output, ...costSession(prices).map((cost) => `€${formatDecimal(cost)}`)];
  });
  expect(computed).toEqual(written);
});

/** Returns what the session costs with all input plain, and by class. */
function costSession(prices: FrozenTokenPrices): bigint[] {
  const costs = [0n, 0n];
  for (let turn = 0; turn < TURNS; turn++) {
    const prompt = FIRST_PROMPT_TOKENS + turn * ADDED_TOKENS;
    const cached = turn === 0 ? 0 : prompt - ADDED_TOKENS;
    const plain = { input: prompt, output: ANSWER_TOKENS };
    const byClass = { input: 0, cached_input: cached, cache_write: prompt - cached, output: ANSWER_TOKENS };
    for (const [index, tokens] of [plain, byClass].entries())
      costs[index]! += tokenCost(prices, { tokens, serviceTier: null });
  }
  return costs;
}
