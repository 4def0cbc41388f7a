"use client";

import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { Codes, SharedLanguage } from "../../../code-samples/codes";
import { downloads } from "../../../code-samples/download";
import { requestSnippets, uploads } from "../../../code-samples/request-snippets";
import { type ExampleInput, exampleInputs } from "../../../parameters/example-inputs";
import { parametersOf, takesFiles } from "../../../parameters/parameter";
import { formatValue } from "../../../parameters/parameter-props";
import { sampleInput } from "../../../parameters/sample-input";
import { useTRPC } from "../../../trpc/client";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { useFormats } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { Modalities } from "../model-card";
import { samplePath } from "../sample-path";
import { TypicalRun } from "../typical-run";
import type { Model } from "../types";
import { Calculator, Prices } from "./prices";
import { Parameters } from "./parameters";
import { TokenCalculator } from "./token-calculator";

const greeting = { messages: [{ role: "user", content: "What does a lighthouse see?" }] };

/** Returns whether a model computes vectors, which the playground cannot show. */
const makesEmbeddings = ({ output_modalities }: Model): boolean => output_modalities.includes("embedding");

/** Shows a model's parameters, prices and example request. */
export function ModelDetail({ id, base }: { id: string; base: string }) {
  const { data: model } = useQuery(useTRPC().models.get.queryOptions({ id }));
  if (!model) return null;
  return (
    <>
      <PageHeader title={model.name} action={!makesEmbeddings(model) && <TryIt id={model.id} />}>
        {model.description}
      </PageHeader>
      <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-sm">{model.id}</code>
          <CopyButton text={model.id} label="Copy model ID" iconOnly />
        </span>
        <Modalities input={model.input_modalities} output={model.output_modalities} />
        <span className="text-xs text-soft">
          <TypicalRun model={model} />
        </span>
        {!model.available && <Badge tone="warning">Unavailable: no provider is serving this model</Badge>}
      </div>
      <Samples model={model} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {/* First, as a phone shows them: what comes in another order moves while the page arrives. */}
        <div className="grid gap-6 max-xl:md:grid-cols-2 xl:col-start-2">
          <Prices model={model} />
          {!makesEmbeddings(model) && <Calculator model={model} />}
          {model.prices.by === "token" && <TokenCalculator prices={model.prices} />}
          {model.is_llm && <Facts model={model} />}
        </div>
        <div className="grid min-w-0 gap-6 xl:col-start-1 xl:row-start-1">
          {!model.is_llm && <Examples model={model} />}
          {!model.is_llm && <Parameters schema={model.parameters_schema} />}
          <SharedLanguage>
            <Programs model={model} base={base} />
          </SharedLanguage>
        </div>
      </div>
    </>
  );
}

/** Shows the sample pictures of a model, in one row. */
const Samples = ({ model: { name, samples } }: { model: Model }) =>
  samples.length > 0 && (
    <ul
      aria-label="Samples"
      tabIndex={0}
      className="mb-6 grid auto-cols-[min(16rem,70vw)] grid-flow-col gap-3 overflow-x-auto rounded-xl"
    >
      {samples.map((id, index) => (
        <li key={id} className="aspect-[4/3] overflow-hidden rounded-xl border border-line bg-sunken">
          <img
            src={samplePath(id)}
            alt={`Sample ${index + 1} of ${name}`}
            width={640}
            height={480}
            className="size-full object-cover"
          />
        </li>
      ))}
    </ul>
  );

/** Shows code samples that upload an input file, send a request and save the outputs, as the model requires. */
function Programs({ model, base }: { model: Model; base: string }) {
  const { id, is_llm: isLlm, parameters_schema: schema } = model;
  if (makesEmbeddings(model)) return <Codes title="API call" codes={embeddings(base, id)} />;
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

/** Returns programs that compute the vector of a text. */
const embeddings = (base: string, model: string) =>
  requestSnippets(base, {
    method: "POST",
    path: "/v1/embeddings",
    headers: {},
    credential: "key",
    body: { kind: "json", value: { model, input: "What does a lighthouse see?" } },
    result: "json",
  });

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
  const context = ["Context", formatTokens(model.context_length)];
  const abilities = [
    ["Max output", formatTokens(model.max_output_tokens)],
    ["Images", yesOrNo(model.supports_vision)],
    ["Tools", yesOrNo(model.supports_tools)],
    ["Structured output", yesOrNo(model.supports_structured_output)],
    ["Reasoning", yesOrNo(model.supports_reasoning)],
  ];
  const facts = makesEmbeddings(model) ? [context] : [context, ...abilities];
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

/** Shows example inputs of a model, each with a link that fills the playground. */
function Examples({ model: { id, parameters_schema } }: { model: Model }) {
  const examples = exampleInputs(parameters_schema);
  if (examples.length === 0) return null;
  return (
    <Card flush title={examples.length === 1 ? "Example" : "Examples"}>
      <ul className="divide-y divide-line">
        {examples.map((example, index) => (
          <li key={index} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
            <ExampleValues example={example} />
            <Button needs="develop" asChild>
              <Link href={`/playground?model=${encodeURIComponent(id)}&example=${index + 1}`}>
                <Play size={16} aria-hidden />
                Try {examples.length === 1 ? "the example" : `example ${index + 1}`}
              </Link>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const ExampleValues = ({ example: { input, missing } }: { example: ExampleInput }) => (
  <div className="grid min-w-0 flex-1 basis-64 gap-2">
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm leading-6">
      {Object.entries(input).map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-baseline gap-2">
          <dt className="font-mono text-xs text-soft">{name}</dt>
          <dd className="line-clamp-3 min-w-0 break-words">{formatValue(value)}</dd>
        </div>
      ))}
    </dl>
    {missing.length > 0 && <p className="text-xs text-soft">Add your own {missing.join(" and ")} before you run it.</p>}
  </div>
);
