"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type FormEvent, useState } from "react";
import { StorageAccount, useDraft } from "../../../storage/use-draft";
import { useTRPC } from "../../../trpc/client";
import { AccessError } from "../../../ui/access-error";
import { Card } from "../../../ui/card";
import { Input, TextArea } from "../../../ui/controls";
import { Field } from "../../../ui/form";
import { BackLink } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { partNotLoaded } from "../../../ui/part-not-loaded";
import { isExactPrice } from "../../models/exact-price";
import type { ModelSummary } from "../../models/types";
import { RunBar, submitOnCommandEnter } from "../run-bar";
import { useComparison, useComparisonPrice } from "./use-comparison";

const MIN_MODELS = 2;
const MAX_MODELS = 4;

// Loaded on demand: there is no result before the first run.
const Contender = dynamic(() => import("./contender").then((module) => module.Contender, partNotLoaded));

interface Props {
  accountId: number;
  /** The model that was open in the playground. */
  model: string | null;
}

/** Runs one prompt on two to four models, and shows the results side by side. */
export const Compare = ({ accountId, model }: Props) => (
  <StorageAccount value={accountId}>
    <BackLink href="/playground">Playground</BackLink>
    <PageHeader title="Compare models">Run one prompt on two to four models.</PageHeader>
    <Comparison model={model} />
  </StorageAccount>
);

interface Draft {
  prompt: string;
  models: string[];
}

function Comparison({ model }: { model: string | null }) {
  const { data: all = [] } = useQuery(useTRPC().models.list.queryOptions());
  const models = all.filter((one) => one.runs_from_prompt && !one.output_modalities.includes("embedding"));
  const [draft, setDraft] = useState<Draft>({ prompt: "", models: model === null ? [] : [model] });
  const [isChecked, setIsChecked] = useState(false);
  const { entries, start, isSending, sendAgain, stop } = useComparison();
  useDraft<Draft>({
    name: "compare",
    value: draft.prompt === "" ? undefined : draft,
    onFound: (kept) => setDraft(kept),
  });
  const { prompt } = draft;
  const chosen = models.filter(({ id }) => draft.models.includes(id)).slice(0, MAX_MODELS);
  const price = useComparisonPrice(chosen, prompt);
  const [hasPrompt, hasModels] = [prompt.trim() !== "", chosen.length >= MIN_MODELS];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (hasPrompt && hasModels && !isSending) start(chosen, prompt);
  };
  if (models.length < MIN_MODELS) {
    return <Notice title="Nothing to compare">You need at least two models that run from a prompt.</Notice>;
  }
  return (
    <div className="grid gap-6">
      <Card title="Input">
        <form noValidate onSubmit={submit} onKeyDown={submitOnCommandEnter} className="grid gap-5">
          <PromptField
            value={prompt}
            onChange={(next) => setDraft({ ...draft, prompt: next })}
            error={isChecked && !hasPrompt ? "Enter a prompt." : undefined}
          />
          <ModelChoice
            models={models}
            chosen={chosen}
            prices={price.prices}
            isTooFew={isChecked && !hasModels}
            onChange={(next) => setDraft({ ...draft, models: next })}
          />
          <RunBar euros={hasModels ? price.total : null} isExact={price.isExact} isBusy={isSending}>
            <AccessError error={price.error} />
          </RunBar>
        </form>
      </Card>
      {entries.length === 0 && (
        <Card title="Results">
          <Notice title="No results yet" heading="h3" icon={<Columns2 size={20} />}>
            Results appear here side by side, each with its time and cost.
          </Notice>
        </Card>
      )}
      <div className="grid items-start gap-6 md:grid-cols-2">
        {entries.map((entry) => (
          <Contender key={entry.key} entry={entry} onSendAgain={() => sendAgain(entry)} onStop={() => stop(entry)} />
        ))}
      </div>
    </div>
  );
}

interface PromptProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

const PromptField = ({ value, onChange, error }: PromptProps) => (
  <Field label="Prompt *" error={error}>
    {(controlProps) => (
      <TextArea
        {...controlProps}
        className={`${controlProps.className} field-sizing-content max-h-80 min-h-24 py-2`}
        value={value}
        aria-required
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface ModelChoiceProps {
  models: ModelSummary[];
  chosen: ModelSummary[];
  /** What the prompt costs on each chosen model, in EUR. */
  prices: Map<string, number | undefined>;
  isTooFew: boolean;
  onChange: (ids: string[]) => void;
}

/** Chooses two to four models, with the price of each. */
function ModelChoice({ models, chosen, prices, isTooFew, onChange }: ModelChoiceProps) {
  const ids = chosen.map(({ id }) => id);
  const toggle = (id: string) => onChange(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <div className="grid max-h-64 gap-x-6 overflow-y-auto sm:grid-cols-2">
        {models.map((model) => (
          <label key={model.id} className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
            <Input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={ids.includes(model.id)}
              disabled={!ids.includes(model.id) && ids.length >= MAX_MODELS}
              onChange={() => toggle(model.id)}
            />
            <span className="min-w-0 truncate">{model.name}</span>
            <PriceOf model={model} euros={prices.get(model.id)} />
          </label>
        ))}
      </div>
      {isTooFew && (
        <p role="alert" className="text-sm text-danger">
          Choose at least {MIN_MODELS} models.
        </p>
      )}
      <p className="text-xs leading-5 text-soft">
        {MIN_MODELS} to {MAX_MODELS} models that run from a prompt.
      </p>
    </fieldset>
  );
}

const PriceOf = ({ model, euros }: { model: ModelSummary; euros: number | undefined }) =>
  euros !== undefined && (
    <span className="ml-auto shrink-0 text-xs text-soft">
      {!isExactPrice(model) && "up to "}
      <Money euros={euros} />
    </span>
  );
