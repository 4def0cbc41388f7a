"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type FormEvent, useState } from "react";
import { StorageAccount } from "../../../storage/storage-account";
import { useDraft } from "../../../storage/use-draft";
import { useTRPC } from "../../../trpc/client";
import { AccessError } from "../../../ui/access-error";
import { Card } from "../../../ui/card";
import { TextArea } from "../../../ui/controls";
import { Field } from "../../../ui/field";
import { BackLink } from "../../../ui/link";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { RunBar } from "../run-bar";
import { submitOnCommandEnter } from "../submit-on-command-enter";
import { MAX_MODELS, MIN_MODELS } from "./limits";
import { ModelChoice } from "./model-choice";
import { useComparison } from "./use-comparison";
import { useComparisonPrice } from "./use-comparison-price";

// Loaded on demand: there is no result before the first run.
const Contender = dynamic(() => import("./contender").then((module) => module.Contender));

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
  const models = all.filter((one) => one.runs_from_prompt);
  const [draft, setDraft] = useState<Draft>({ prompt: "", models: model === null ? [] : [model] });
  const [isChecked, setIsChecked] = useState(false);
  const { entries, start, isSending, sendAgain } = useComparison();
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
    return <Notice title="Nothing to compare">Comparing takes at least two models that run from a prompt.</Notice>;
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
          <AccessError error={price.error} />
          <RunBar euros={hasModels ? price.total : undefined} isExact={price.isExact} isBusy={isSending} />
        </form>
      </Card>
      <div className="grid items-start gap-6 md:grid-cols-2">
        {entries.map((entry) => (
          <Contender key={entry.key} entry={entry} onSendAgain={() => sendAgain(entry)} />
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
