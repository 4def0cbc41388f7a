"use client";

import { Sparkles, TableProperties } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { CallSnippets } from "../../code-samples/call-snippets";
import { eurosOf, usePrice } from "../../code-samples/use-price";
import { type ExampleInput, exampleInputs } from "../../parameters/example-inputs";
import { type Parameter, parametersOf, titleOf } from "../../parameters/parameter";
import { sampleInput } from "../../parameters/sample-input";
import { useDraft } from "../../storage/use-draft";
import { AccessError } from "../../ui/access-error";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { useFocusOnError } from "../../ui/form";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { useToast } from "../../ui/toasts";
import { isExactPrice } from "../models/exact-price";
import type { Model } from "../models/types";
import { CopyLink } from "./copy-link";
import { LabelFields, readLabels } from "./label-fields";
import { ParameterFields } from "./parameter-fields";
import { PresetsButton } from "./presets/presets-button";
import { RecentRuns } from "./recent-runs";
import { Result } from "./result";
import { RunBar, submitOnCommandEnter } from "./run-bar";
import { useConfirmedPrice } from "./use-confirmed-price";
import { type Input, useInput } from "./use-input";
import { useRun } from "./use-run";

// Loaded on demand, because few inputs have a character.
const TriggerWord = dynamic(() => import("./trigger-word").then((module) => module.TriggerWord, partNotLoaded));

const RunCsv = dynamic(() => import("./batch/run-csv").then((module) => module.RunCsv, partNotLoaded), { ssr: false });

interface Props {
  model: Model;
  base: string;
  input: Input;
  /** Whether `input` comes from a link. */
  isPrefilled: boolean;
}

/** Runs a media model: a form generated from its parameters, and the result. */
export function Media({ model, base, input: initial, isPrefilled }: Props) {
  const parameters = parametersOf(model.parameters_schema);
  const { run, shown, showRun } = useRun(parameters);
  const { input, formKey, change, replace, showExample } = useInput(initial, parameters, run.reset);
  useInputDraft(model.id, input, isPrefilled, replace);
  // Required fields that are still empty get sample values, so that the price can be shown.
  const priced = { ...sampleInput(model.parameters_schema), ...input };
  const price = usePrice(model.id, priced);
  const confirmPrice = useConfirmedPrice(model.id, price.data?.estimated_cost);
  const errorOf = createErrorReader(parameters, input, run.error, price.error);
  const isAtField = parameters.some(({ name }) => errorOf(name));
  const form = useFocusOnError(run.error);
  const applyRun = useApplyRun(model.id, input, replace);
  const start = (form: HTMLFormElement, count: number) => {
    const labels = readLabels(new FormData(form));
    if (!run.isPending)
      void confirmPrice(priced).then(
        ({ isShown, quote, cost }) => isShown && run.start(model.id, input, labels, { count, quote, cost }),
      );
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start(event.currentTarget, 1);
  };
  const actions = (
    <div className="flex flex-wrap gap-2">
      <CopyLink base={base} model={model.id} input={input} />
      <ExampleButton model={model} onChoose={showExample} />
      <PresetsButton model={model.id} input={input} onUse={replace} what="input" />
      <CsvAction model={model} parameters={parameters} input={input} />
    </div>
  );
  return (
    <>
      <RecentRuns chosen={shown?.id} onChoose={(id) => showRun({ id, isNew: false })} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Card title="Input" action={actions}>
          <form
            ref={form}
            noValidate
            onSubmit={submit}
            onKeyDown={submitOnCommandEnter}
            className="grid grid-cols-[minmax(0,1fr)] gap-5"
          >
            <ParameterFields
              key={formKey}
              parameters={parameters}
              input={input}
              onChange={change}
              errorOf={errorOf}
              afterPrompt={
                input.character !== undefined && (
                  <TriggerWord model={model} input={input} onAdd={(prompt) => change("prompt", prompt)} />
                )
              }
            />
            <LabelFields error={run.error} />
            <RunBar
              euros={eurosOf(price)}
              isExact={isExactPrice(model)}
              isBusy={run.isPending}
              onRunSeveral={(count) => start(form.current!, count)}
            >
              {!isAtField && <AccessError error={run.error ?? price.error} />}
            </RunBar>
          </form>
        </Card>
        <div className="grid gap-6">
          <Result
            shown={shown}
            error={isAtField ? null : run.error}
            input={input}
            onUse={applyRun}
            onStarted={showRun}
          />
          <CallSnippets call={{ base, model: model.id, isLlm: false, input }} />
        </div>
      </div>
    </>
  );
}

function CsvAction(run: { model: Model; parameters: Parameter[]; input: Input }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs="develop" onClick={() => setOpen(true)}>
        <TableProperties size={16} aria-hidden />
        Run a CSV
      </Button>
      {isOpen && <RunCsv {...run} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Stores the draft of a form. */
function useInputDraft(model: string, input: Input, isPrefilled: boolean, onRestore: (input: Input) => void): void {
  const toast = useToast();
  useDraft<Input>({
    name: model,
    value: Object.keys(input).length > 0 ? input : undefined,
    isPrefilled,
    onFound: (draft) => {
      if (!isPrefilled) onRestore(draft);
      else if (JSON.stringify(draft) !== JSON.stringify(input))
        toast({ text: "The link replaced your draft.", undo: () => onRestore(draft) });
    },
  });
}

/** Returns a function that fills the form with the input of a run; for another model, it opens that model's form. */
function useApplyRun(model: string, input: Input, replace: (input: Input) => void) {
  const toast = useToast();
  const router = useRouter();
  return (run: { id: string; model: string; input: Input }) => {
    if (run.model !== model) return router.push(`/playground?generation=${run.id}`);
    replace(run.input);
    toast({ text: "The form has the input of this run.", undo: () => replace(input) });
  };
}

/** Returns a function that returns the error of a field: the run's, or for an entered value the price's. */
function createErrorReader(parameters: Parameter[], input: Input, runError: unknown, priceError: unknown) {
  const [ofRun, ofPrice] = [errorsOf(runError), errorsOf(priceError)];
  return (name: string) => {
    const subject = titleOf(parameters.find((one) => one.name === name)!);
    const rejected = ofRun?.field(`input.${name}`, subject) ?? ofRun?.field(`inputs.0.${name}`, subject);
    if (rejected && name === "prompt" && (input[name] ?? "") === "") return "Enter a prompt.";
    return rejected ?? (name in input ? ofPrice?.field(`input.${name}`, subject) : undefined);
  };
}

/** Renders a button that fills the form with the model's examples, one after the other. */
function ExampleButton({ model, onChoose }: { model: Model; onChoose: (example: ExampleInput) => void }) {
  const [shown, setShown] = useState(0);
  const examples = exampleInputs(model.parameters_schema);
  const example = examples[shown % examples.length];
  if (!example) return null;
  const choose = () => {
    onChoose(example);
    setShown(shown + 1);
  };
  return (
    <Button onClick={choose}>
      <Sparkles size={16} aria-hidden />
      {shown > 0 && examples.length > 1 ? "Try another example" : "Try an example"}
    </Button>
  );
}
