"use client";

import {
  mapNames,
  optionalTokenClasses,
  type OptionalTokenClass,
  type TokenClass,
  type Tokens,
  type TokenTotal,
} from "@/server/catalogue/token-classes";
import type { FrozenTokenPrices } from "@/server/domain/tokens";
import { tokenCost } from "@/server/domain/tokens/token-cost";
import { toEuros } from "@/server/lib/money";
import { useState } from "react";
import { Card } from "../../../ui/card";
import { SelectField, TextField } from "../../../ui/form";
import { Price } from "../../../ui/shown-prices";
import type { Model } from "../types";

type TokenPrices = Extract<Model["prices"], { by: "token" }>;

/** The classes of an ordinary chat, with the tokens of an example. */
const fields = [
  { name: "input", label: "New input", example: 1_000 },
  { name: "cached_input", label: "Cached input", example: 0 },
  { name: "cache_write", label: "Written to the cache", example: 0 },
  { name: "output", label: "Output", example: 300 },
] as const satisfies { name: TokenClass; label: string; example: number }[];

/** Above any provider's limit. */
const MAX_TOKENS = 1_000_000_000;
const DEFAULT_TIER = "default";

/** Computes what a chat costs from the tokens that it used, as the hub charges it. */
export function TokenCalculator({ prices }: { prices: TokenPrices }) {
  const [entered, setEntered] = useState<Record<string, string>>({});
  const [serviceTier, setServiceTier] = useState(DEFAULT_TIER);
  const tiers = Object.keys(prices.serviceTiers).filter((tier) => tier !== DEFAULT_TIER);
  const shown = fields.filter(({ name }) => prices[name] !== null);
  const tokens: Tokens = { input: 0, output: 0 };
  for (const { name, example } of shown) tokens[name] = readCount(entered[name] ?? String(example));
  return (
    <Card title="Cost by tokens">
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {shown.map(({ name, label, example }) => (
            <TextField
              key={name}
              label={label}
              type="number"
              inputMode="numeric"
              min={0}
              max={MAX_TOKENS}
              step={1}
              value={entered[name] ?? String(example)}
              onChange={(event) => setEntered((all) => ({ ...all, [name]: event.target.value }))}
            />
          ))}
        </div>
        {tiers.length > 0 && (
          <SelectField
            label="Service tier"
            value={serviceTier}
            onChange={(event) => setServiceTier(event.target.value)}
          >
            {[DEFAULT_TIER, ...tiers].map((tier) => (
              <option key={tier}>{tier}</option>
            ))}
          </SelectField>
        )}
        <p role="status" className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <span className="text-sm text-soft">Cost</span>
          <span className="text-xl font-semibold">
            <Price exact euros={toEuros(tokenCost(toFrozenPrices(prices), { tokens, serviceTier }))} />
          </span>
        </p>
      </div>
    </Card>
  );
}

/** Returns the number of tokens in a field: a fraction is dropped, and any other text counts as 0. */
const readCount = (text: string): number => Math.min(Math.max(Math.floor(Number(text)) || 0, 0), MAX_TOKENS);

/** Returns a model's prices in the form in which the hub stores them with a chat. */
const toFrozenPrices = ({ longContext, serviceTiers, ...perMillion }: TokenPrices): FrozenTokenPrices => ({
  ...toPerMillion(perMillion),
  long_context: longContext.map((prices) => ({ above: prices.above, ...toPerMillion(prices) })),
  service_tiers: serviceTiers,
});

function toPerMillion(prices: Record<TokenTotal, number> & Record<OptionalTokenClass, number | null>) {
  const priced = optionalTokenClasses.filter((name) => prices[name] !== null);
  return {
    input_per_million: prices.input,
    output_per_million: prices.output,
    ...mapNames(priced, "_per_million", (name) => prices[name]!),
  };
}
