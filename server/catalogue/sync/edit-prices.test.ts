import fc from "fast-check";
import { expect, test } from "vitest";
import { soakCount } from "../../../test/soak";
import { parseDecimal } from "../../lib/money";
import { parseCatalogue } from "../parse";
import type { TokenPriceList } from "../pricing";
import { optionalTokenClasses } from "../token-classes";
import { editPrices, type ListEdit } from "./edit-prices";

const prices = (...[input, output, cached]: string[]): TokenPriceList["perMillion"] => ({
  input: parseDecimal(input!),
  output: parseDecimal(output!),
  ...(cached !== undefined && { cached_input: parseDecimal(cached) }),
});

const list = (perMillion: TokenPriceList["perMillion"], rest: Partial<TokenPriceList> = {}): TokenPriceList => ({
  perMillion,
  longContext: [],
  serviceTiers: {},
  ...rest,
});

const first: ListEdit["path"] = ["models", 0, "llm"];
const changed = list(prices("0.5", "2.25", "0.000000001"), {
  longContext: [{ above: 9, perMillion: prices("1", "3") }],
});

test("replaces numbers and adds lines; all else stays as it is written", () => {
  const before = `# Mine.
models:
    -   id: m     # the first
        llm:
            input_cost_per_million:   1.50   # 1.60 USD

            # The output.
            output_cost_per_million: "7.50"
            max_output_tokens: 0x10
        'name':  "M"
`;
  expect(editPrices(before, [{ path: first, then: changed }])).toBe(`# Mine.
models:
    -   id: m     # the first
        llm:
            input_cost_per_million:   0.5   # 1.60 USD
            cached_input_cost_per_million: 0.000000001

            # The output.
            output_cost_per_million: 2.25
            long_context: [{ above: 9, input_cost_per_million: 1, output_cost_per_million: 3 }]
            max_output_tokens: 0x10
        'name':  "M"
`);
});

test("adds to a mapping in braces in its line, and keeps numbers that stay", () => {
  const before = `models:
  - { id: m, llm: {input_cost_per_million: 0.50, # why
      output_cost_per_million: 2, max_output_tokens: 1} }
`;
  expect(editPrices(before, [{ path: first, then: changed }])).toBe(`models:
  - { id: m, llm: {input_cost_per_million: 0.50, cached_input_cost_per_million: 0.000000001, # why
      output_cost_per_million: 2.25, long_context: [{ above: 9, input_cost_per_million: 1, output_cost_per_million: 3 }], max_output_tokens: 1} }
`);
});

test("edits the entries of lengths and the factors of tiers where they are", () => {
  const before = `models:
- id: m
  llm:
    service_tiers: { flex: 0.5, "priority": 2 } # both
    long_context:
    - above: 9 # nine
      output_cost_per_million: 8
      input_cost_per_million: 4
    output_cost_per_million: 4
    input_cost_per_million: 2
    max_output_tokens: 1`;
  const then = list(prices("2", "4"), {
    longContext: [{ above: 9, perMillion: prices("5", "8", "1") }],
    serviceTiers: { flex: parseDecimal("0.6"), priority: parseDecimal(2) },
  });
  expect(editPrices(before, [{ path: first, then }])).toBe(
    before
      .replace("flex: 0.5", "flex: 0.6")
      .replace("input_cost_per_million: 4\n", "input_cost_per_million: 5\n      cached_input_cost_per_million: 1\n"),
  );
});

test("keeps the ends of lines of Windows", () => {
  const lines = ["models:", "- id: m", "  llm:", "    input_cost_per_million: 1", "    output_cost_per_million: 2"];
  const [edited] = [editPrices(lines.join("\r\n"), [{ path: first, then: list(prices("3", "2", "0.5")) }])];
  lines[3] = "    input_cost_per_million: 3\r\n    cached_input_cost_per_million: 0.5";
  expect(edited).toBe(lines.join("\r\n"));
});

test("prices that models share become those of one model alone", () => {
  const before = `models:
  - id: a
    llm: &prices { input_cost_per_million: &in 1, output_cost_per_million: 2, max_output_tokens: 1 } # shared
    routes: []
  - id: b
    llm: *prices
    routes: []
  - id: c
    llm: { input_cost_per_million: *in, output_cost_per_million: 2, max_output_tokens: 1 }
    routes: []
`;
  const read = (text: string) =>
    parseCatalogue(text, { file: "FILE", variables: {} }).models.map(({ pricing }) => pricing.by === "token" && pricing.perMillion); // prettier-ignore
  const old = prices("1", "2");
  const next = prices("3", "4");
  for (const index of [0, 1, 2]) {
    const expected = [old, old, old].with(index, next);
    const edited = editPrices(before, [{ path: ["models", index, "llm"], then: list(next) }]);
    expect(read(edited)).toEqual(expected);
    expect(edited).toContain("# shared");
  }
});

test("a list of lengths gets further ones in their order", () => {
  const before = `models:
  - id: m # mine
    llm:
      input_cost_per_million: 1
      output_cost_per_million: 2
      long_context:
        - { above: 5, input_cost_per_million: 3, output_cost_per_million: 4 } # five
      max_output_tokens: 1
    routes: []
`;
  const longContext = [3, 5, 7].map((above) => ({ above, perMillion: prices(String(above), "9") }));
  const edited = editPrices(before, [{ path: first, then: list(prices("1", "2"), { longContext }) }]);
  const [model] = parseCatalogue(edited, { file: "FILE", variables: {} }).models;
  expect(model!.pricing).toMatchObject({ perMillion: prices("1", "2"), longContext });
  expect(edited).toMatch(/# mine[^]*# five/);
});

const price = fc.bigInt({ min: 0n, max: 1_000_000_000_000n });
const perMillion = fc
  .record(
    { input: price, output: price, ...Object.fromEntries(optionalTokenClasses.map((name) => [name, price])) },
    { requiredKeys: ["input", "output"] },
  ) // prettier-ignore
  .map((one) => one as TokenPriceList["perMillion"]);
const lengths = fc.array(fc.record({ above: fc.integer({ min: 1, max: 1e9 }), perMillion }), { maxLength: 4 });

test("any prices are read again as they were written, in any style", () => {
  const styles = [
    (margin: string) => `models:\n${margin}- id: m\n${margin}  llm:\n${margin}    input_cost_per_million: 1\n${margin}    output_cost_per_million: 1\n${margin}    max_output_tokens: 1\n${margin}  routes: []\n`, // prettier-ignore
    () => "models: [{id: m, llm: {output_cost_per_million: 1, max_output_tokens: 1, input_cost_per_million: 1}}]",
    () => '{"models": [{"id": "m", "llm": {"input_cost_per_million": "1", "output_cost_per_million": 1, "max_output_tokens": 1}}]}', // prettier-ignore
  ];
  const property = fc.property(
    fc.constantFrom(...styles),
    fc.constantFrom("", "   "),
    perMillion,
    lengths,
    (write, margin, first, long) => {
      const bySize = new Map(long.map((entry) => [entry.above, entry]));
      const longContext = [...bySize.values()].sort((one, other) => one.above - other.above);
      // Classes of a length are required where shorter prompts have a price, which does not matter here.
      const base = longContext.length > 0 ? { input: first.input, output: first.output } : first;
      const then = list(base, { longContext });
      const edited = editPrices(write(margin), [{ path: ["models", 0, "llm"], then }]);
      const isValid = base.cache_write_long === undefined || base.cache_write !== undefined;
      if (!isValid) return;
      const [model] = parseCatalogue(edited, { file: "FILE", variables: {} }).models;
      expect(model!.pricing).toMatchObject({ perMillion: base, longContext });
      // Written again, nothing changes.
      expect(editPrices(edited, [{ path: ["models", 0, "llm"], then }])).toBe(edited);
    },
  );
  fc.assert(property, { numRuns: soakCount(70, 5_000) });
});
