"use client";

import { useState } from "react";
import { usePrice } from "../../../code-samples/use-price";
import { type Parameter, parametersOf } from "../../../parameters/parameter";
import { ParameterField } from "../../../parameters/parameter-field";
import { sampleInput } from "../../../parameters/sample-input";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { TextField } from "../../../ui/field";
import { Money } from "../../../ui/money";
import { isExactPrice } from "../exact-price";
import type { Model } from "../types";

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
        <p role="status" className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
          {errors ? (
            <span className="text-sm text-danger">{errors.message}</span>
          ) : (
            <>
              <span className="text-sm text-soft">{isExactPrice(model) ? "Cost" : "Up to"}</span>
              <span className="text-xl font-semibold">
                {data ? <Money euros={data.estimated_cost * multiplier} /> : "…"}
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
