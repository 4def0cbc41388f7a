"use client";

import { describePerUnit } from "@/server/catalogue/price-units";
import { tokenClasses, tokenClassNames } from "@/server/catalogue/token-classes";
import { Fragment, type ReactNode, useState } from "react";
import { usePrice } from "../../../code-samples/use-price";
import { type Parameter, parametersOf } from "../../../parameters/parameter";
import { ParameterField } from "../../../parameters/parameter-field";
import { formatValue } from "../../../parameters/parameter-props";
import { sampleInput } from "../../../parameters/sample-input";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { TextField } from "../../../ui/form";
import { Price, PriceNote } from "../../../ui/shown-prices";
import { Count } from "../../../ui/values";
import { isExactPrice } from "../exact-price";
import type { Model } from "../types";

/** Shows the full price list of a model. */
export const Prices = ({ model: { prices } }: { model: Model }) => (
  <Card title="Price">
    <dl className="grid gap-2.5 text-sm">
      {prices.by === "tier" &&
        prices.tiers.map(({ match, euros, next }) => (
          <Line
            key={JSON.stringify(match)}
            name={describeMatch(match)}
            euros={euros}
            unit={prices.unit && describePerUnit(prices.unit)}
            next={next}
          />
        ))}
      {prices.by === "token" &&
        tokenClassNames.map((name) => {
          const euros = prices[name];
          return euros === null ? null : (
            <Line key={name} name={`${tokenClasses[name].label}, per 1M tokens`} euros={euros} />
          );
        })}
      {prices.by === "token" &&
        prices.longContext.map(({ above, ...longer }) => (
          <Fragment key={above}>
            <dt className="mt-2 font-medium">
              With more than <Count value={above} /> input tokens
            </dt>
            {tokenClassNames.map((name) => {
              const euros = longer[name];
              return euros === null ? null : (
                <Line key={name} name={`${tokenClasses[name].label}, per 1M tokens`} euros={euros} />
              );
            })}
          </Fragment>
        ))}
      {prices.by === "token" &&
        Object.entries(prices.serviceTiers).map(([tier, multiplier]) => (
          <div key={tier} className="flex items-baseline justify-between gap-4">
            <dt>
              Tier <code className="font-mono">{tier}</code>
            </dt>
            <dd className="font-medium">
              × <Count value={multiplier} />
            </dd>
          </div>
        ))}
      {prices.by === "gpu-second" && (
        <>
          <Line name="GPU time, per second" euros={prices.euros} />
          <Line
            name={
              <>
                Maximum, <Count value={prices.most_seconds} /> seconds
              </>
            }
            euros={prices.euros * prices.most_seconds}
          />
        </>
      )}
    </dl>
    <p className="mt-4 text-xs leading-5 text-soft">
      {prices.by === "tier" && prices.unit ? UNIT_NOTE : notes[prices.by]} <PriceNote />
    </p>
  </Card>
);

const UNIT_NOTE =
  "At today’s exchange rate. The first matching row applies. We reserve what you ask for, then charge what was delivered. Failures are free.";

const notes = {
  tier: "Per generation at today’s exchange rate. The first matching row applies. Failures are free.",
  token: "We reserve the maximum, then charge what was used. Failures are free.",
  "gpu-second": "We reserve the maximum, then charge the time used. Failures are free.",
};

const describeMatch = (match: Record<string, unknown>): ReactNode => {
  const entries = Object.entries(match);
  if (entries.length === 0) return "Everything else";
  return entries.map(([name, value]) => (
    <span key={name} className="mr-3 whitespace-nowrap">
      <span className="text-soft">{name}</span> <code className="font-mono">{formatValue(value)}</code>
    </span>
  ));
};

interface LineProps {
  name: ReactNode;
  euros: number;
  /** Such as "per image". */
  unit?: string | null;
  /** The price of each further unit, if it differs. */
  next?: number | null;
}

const Line = ({ name, euros, unit, next = null }: LineProps) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>{name}</dt>
    <dd className="text-right font-medium">
      <Price euros={euros} />
      {unit && <span className="font-normal text-soft"> {unit}</span>}
      {next !== null && (
        <span className="block text-xs font-normal text-soft">
          then <Price euros={next} />
        </span>
      )}
    </dd>
  </div>
);

const chatParameters: Parameter[] = [
  { name: "prompt", required: true, schema: { type: "string", description: "Your message to the model." } },
  {
    name: "max_tokens",
    required: false,
    schema: { type: "integer", minimum: 1, description: "Maximum response length in tokens." },
  },
];
const PROMPT = "What does a lighthouse see?";

/** Estimates the cost of generations with the hub's own prices. */
export function Calculator({ model }: { model: Model }) {
  const [entered, setEntered] = useState<Record<string, unknown>>(model.is_llm ? { prompt: PROMPT } : {});
  const [count, setCount] = useState("1");
  const input = model.is_llm ? chatInput(entered) : { ...sampleInput(model.parameters_schema), ...entered };
  const { data, error } = usePrice(model.id, input);
  const errors = errorsOf(error);
  const multiplier = Math.max(Math.floor(Number(count)), 0) || 0;
  return (
    <Card title="Price calculator">
      <div className="grid gap-4">
        {(model.is_llm ? chatParameters : pricedParameters(model)).map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={entered[parameter.name]}
            onChange={(value) => setEntered((all) => ({ ...all, [parameter.name]: value }))}
          />
        ))}
        <TextField
          label={model.is_llm ? "Responses" : "Generations"}
          type="number"
          inputMode="numeric"
          min={1}
          value={count}
          onChange={(event) => setCount(event.target.value)}
        />
        {/* Has the height of an error, which may come later, so that nothing moves. */}
        <p role="status" className="flex min-h-20 items-baseline justify-between gap-4 border-t border-line pt-4">
          {errors ? (
            <span className="text-sm text-danger">{errors.message}</span>
          ) : (
            <>
              <span className="text-sm text-soft">{isExactPrice(model) ? "Cost" : "Up to"}</span>
              <span className="text-xl font-semibold">
                {data ? <Price euros={data.estimated_cost * multiplier} /> : "…"}
              </span>
            </>
          )}
        </p>
      </div>
    </Card>
  );
}

const chatInput = ({ prompt = "", ...rest }: Record<string, unknown>) => ({
  messages: [{ role: "user", content: prompt }],
  ...rest,
});

/** Returns the parameters that the price depends on. */
function pricedParameters({ prices, parameters_schema }: Model): Parameter[] {
  const named = new Set(prices.by === "tier" ? prices.parameters : []);
  return parametersOf(parameters_schema).filter(({ name }) => named.has(name));
}
