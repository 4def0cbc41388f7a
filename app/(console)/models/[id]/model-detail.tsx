"use client";

import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { Codes, SharedLanguage } from "../../../code-samples/codes";
import { downloads } from "../../../code-samples/download";
import { uploads } from "../../../code-samples/upload";
import { exampleInputs } from "../../../parameters/example-inputs";
import { parametersOf, takesFiles } from "../../../parameters/parameter";
import { sampleInput } from "../../../parameters/sample-input";
import { useTRPC } from "../../../trpc/client";
import { useFormats } from "../../../ui/formats-context";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Link } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { Modalities } from "../model-card";
import { Card } from "../../../ui/card";
import type { Model } from "../types";
import { Calculator } from "./calculator";
import { Examples } from "./examples";
import { Parameters } from "./parameters";
import { Prices } from "./prices";

const greeting = { messages: [{ role: "user", content: "What does a lighthouse see?" }] };

/** Shows a model's parameters, prices and example request. */
export function ModelDetail({ id, base }: { id: string; base: string }) {
  const { data: model } = useQuery(useTRPC().models.get.queryOptions({ id }));
  if (!model) return null;
  return (
    <>
      <PageHeader title={model.name} action={<TryIt id={model.id} />}>
        {model.description}
      </PageHeader>
      <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-sm">{model.id}</code>
          <CopyButton text={model.id} label="Copy model ID" iconOnly />
        </span>
        <Modalities input={model.input_modalities} output={model.output_modalities} />
        {!model.available && <Badge tone="warning">Unavailable: no provider is serving this model</Badge>}
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid gap-6">
          {!model.is_llm && <Examples model={model} />}
          {!model.is_llm && <Parameters schema={model.parameters_schema} />}
          <SharedLanguage>
            <Programs model={model} base={base} />
          </SharedLanguage>
        </div>
        <div className="grid gap-6 max-xl:-order-1 max-xl:md:grid-cols-2">
          <Prices model={model} />
          <Calculator model={model} />
          {model.is_llm && <Facts model={model} />}
        </div>
      </div>
    </>
  );
}

/** Shows programs that upload an input file, make a request and save the outputs, as far as the model needs them. */
function Programs({ model, base }: { model: Model; base: string }) {
  const { id, is_llm: isLlm, parameters_schema: schema } = model;
  if (isLlm) return <CallSnippets call={{ base, model: id, isLlm, input: greeting }} />;
  const input = { ...sampleInput(schema), ...exampleInputs(schema)[0]?.input };
  return (
    <>
      {parametersOf(schema).some(takesFiles) && (
        <Codes title="Upload an input file" codes={uploads(base, model.input_modalities)} />
      )}
      <CallSnippets call={{ base, model: id, isLlm, input }} />
      <Codes title="Download the outputs" codes={downloads(base, model.output_modalities)} />
    </>
  );
}

const TryIt = ({ id }: { id: string }) => (
  <Button needs="develop" asChild kind="primary">
    <Link href={`/playground?model=${encodeURIComponent(id)}`}>
      <Play size={16} aria-hidden />
      Open in playground
    </Link>
  </Button>
);

const yesOrNo = (value: boolean) => (value ? "Yes" : "No");

/** Shows the capabilities of a text model. */
function Facts({ model }: { model: Model }) {
  const { number } = useFormats();
  const formatTokens = (count: number | null) => (count === null ? "Not specified" : `${number(count)} tokens`);
  const facts = [
    ["Context", formatTokens(model.context_length)],
    ["Max output", formatTokens(model.max_output_tokens)],
    ["Images", yesOrNo(model.supports_vision)],
    ["Tools", yesOrNo(model.supports_tools)],
    ["Structured output", yesOrNo(model.supports_structured_output)],
    ["Reasoning", yesOrNo(model.supports_reasoning)],
  ];
  return (
    <Card title="Capabilities">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
