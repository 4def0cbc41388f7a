"use client";

import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { CallSnippets } from "../../code-samples/call-snippets";
import { usePrice } from "../../code-samples/use-price";
import { parametersOf } from "../../parameters/parameter";
import { ParameterField } from "../../parameters/parameter-field";
import { sampleInput } from "../../parameters/sample-input";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { AccessError } from "../../ui/access-error";
import { useIdempotencyKey } from "../../ui/use-idempotency-key";
import { isExactPrice } from "../models/exact-price";
import type { Model } from "../models/types";
import { Cost } from "./cost";
import { ExampleButton } from "./example-button";
import { Result } from "./result";
import { useInput } from "./use-input";

interface Props {
  model: Model;
  base: string;
  input: Record<string, unknown>;
}

/** Runs a media model: a form generated from its parameters, and the result. */
export function Media({ model, base, input: initial }: Props) {
  const parameters = parametersOf(model.parameters_schema);
  const [generationId, setGenerationId] = useState<string>();
  const { keyFor, clearKey } = useIdempotencyKey();
  const run = useMutation(
    useTRPC().playground.run.mutationOptions({
      onSuccess: ({ id }) => {
        clearKey();
        setGenerationId(id);
      },
    }),
  );
  const { input, formKey, change, showExample } = useInput(initial, parameters, run.reset);
  // Required fields that are still empty get sample values, so that the price can be shown.
  const price = usePrice(model.id, { ...sampleInput(model.parameters_schema), ...input });
  const [runErrors, priceErrors] = [errorsOf(run.error), errorsOf(price.error)];
  const errorOf = (name: string) =>
    runErrors?.field(`input.${name}`) ?? (name in input ? priceErrors?.field(`input.${name}`) : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!run.isPending) run.mutate({ idempotencyKey: keyFor(input), model: model.id, input });
  };
  const isShownInline = parameters.some(({ name }) => errorOf(name));
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <Card title="Input" action={<ExampleButton model={model} onChoose={showExample} />}>
        <form key={formKey} noValidate onSubmit={submit} onKeyDown={submitOnCommandEnter} className="grid gap-5">
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={input[parameter.name]}
              onChange={(value) => change(parameter.name, value)}
              error={errorOf(parameter.name)}
            />
          ))}
          {!isShownInline && <AccessError error={run.error ?? price.error} />}
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
            <Cost euros={price.data?.estimated_cost} isExact={isExactPrice(model)} />
            <Button kind="primary" type="submit" busy={run.isPending} title="Ctrl+Enter or ⌘+Enter">
              <Play size={16} aria-hidden />
              Run
            </Button>
          </div>
        </form>
      </Card>
      <div className="grid gap-6">
        <Result id={generationId} />
        <CallSnippets call={{ base, model: model.id, isLlm: false, input }} />
      </div>
    </div>
  );
}

/** Submits the form on Ctrl+Enter or ⌘+Enter. */
function submitOnCommandEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}
