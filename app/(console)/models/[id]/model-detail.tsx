"use client";

import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { sampleInput } from "../../../parameters/sample-input";
import { useTRPC } from "../../../trpc/client";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Link } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { Modalities } from "../model-card";
import { Card } from "../../../ui/card";
import type { Model } from "../types";
import { Calculator } from "./calculator";
import { Parameters } from "./parameters";
import { Prices } from "./prices";

const greeting = { messages: [{ role: "user", content: "What does a lighthouse see?" }] };

/** Shows a model's parameters, prices and example request. */
export function ModelDetail({ id, base }: { id: string; base: string }) {
  const { data: model } = useQuery(useTRPC().models.get.queryOptions({ id }));
  if (!model) return null;
  const input = model.is_llm ? greeting : sampleInput(model.parameters_schema);
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
          {!model.is_llm && <Parameters schema={model.parameters_schema} />}
          <CallSnippets call={{ base, model: model.id, isLlm: model.is_llm, input }} />
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

const TryIt = ({ id }: { id: string }) => (
  <Button asChild kind="primary">
    <Link href={`/playground?model=${encodeURIComponent(id)}`}>
      <Play size={16} aria-hidden />
      Open in playground
    </Link>
  </Button>
);

const yesOrNo = (value: boolean) => (value ? "Yes" : "No");
const formatTokens = (count: number | null) =>
  count === null ? "Not specified" : `${count.toLocaleString("en")} tokens`;

/** Shows the capabilities of a text model. */
function Facts({ model }: { model: Model }) {
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
