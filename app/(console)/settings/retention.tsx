"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { ConfirmedButton } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, TextField } from "../../ui/form";

const fields = [
  { name: "input_days", label: "Inputs", hint: "Prompts and other parameters, with error messages." },
  { name: "output_days", label: "Outputs", hint: "Files and chat replies." },
  { name: "word_days", label: "Search words", hint: "How long generations can be found by their words." },
  { name: "label_days", label: "Metadata and end users", hint: "Usage by them is merged afterwards." },
  { name: "request_log_days", label: "Rejected requests", hint: "The log on the page of each API key." },
] as const;

/** Chooses for how many days the hub keeps content of the account. */
export function Retention() {
  const trpc = useTRPC();
  const { data: retention } = useQuery(trpc.account.retention.queryOptions());
  const change = useHubMutation((trpc) => trpc.account.setRetention, {
    invalidates: (trpc) => [trpc.account.retention.queryFilter()],
    showsError: true,
    successToast: "Retention saved. Older content is erased in the background.",
  });
  const errors = errorsOf(change.error);
  const onSubmit = (form: FormData) => {
    const read = (name: string) => (readText(form, name) === "" ? null : Number(readText(form, name)));
    change.mutate({
      retention: {
        keeps_nothing: form.has("keeps_nothing"),
        input_days: read("input_days"),
        output_days: read("output_days"),
        word_days: read("word_days"),
        label_days: read("label_days"),
        request_log_days: read("request_log_days"),
      },
    });
  };
  return (
    <Form key={JSON.stringify(retention)} onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <p className="text-sm leading-6 text-soft">
        Days to keep the content of generations. Their times, models and costs stay. Leave a field empty to keep it for
        as long as the hub does.
      </p>
      {fields.map(({ name, label, hint }) => {
        const max = retention?.max[name] ?? null;
        return (
          <TextField
            key={name}
            name={name}
            label={label}
            type="number"
            inputMode="numeric"
            min={1}
            max={max ?? undefined}
            defaultValue={String(retention?.[name] ?? "")}
            disabled={retention === undefined}
            hint={max === null ? hint : `${hint} At most ${max} days.`}
            error={errors?.field(`retention.${name}`, label)}
          />
        );
      })}
      <CheckField
        name="keeps_nothing"
        label="Keep no content"
        hint="Erases it once you have fetched the outputs, after an hour at the latest."
        defaultChecked={retention?.keeps_nothing}
      />
      <FormError>{errors?.messageUnlessAt(...fields.map(({ name }) => `retention.${name}`))}</FormError>
      <Button type="submit" kind="primary" busy={change.isPending} className="justify-self-start">
        Save retention
      </Button>
    </Form>
  );
}

/** Erases the content of all generations before a date. */
export function EraseBefore() {
  const [date, setDate] = useState("");
  const erase = useHubMutation((trpc) => trpc.generations.eraseBefore, {
    invalidates: (trpc) => [trpc.generations.pathFilter()],
    successToast: "The content is being erased in the background.",
  });
  return (
    <div className="grid max-w-sm gap-4">
      <TextField
        label="Erase content before"
        type="date"
        value={date}
        onChange={(event) => setDate(event.target.value)}
        hint="Generations that were created before this day in UTC."
      />
      <ConfirmedButton
        className="justify-self-start"
        busy={erase.isPending}
        disabled={date === ""}
        title={`Erase the content of all generations before ${date}?`}
        verb="Erase content"
        question="Inputs, labels, outputs and replies are erased within minutes. Times, models and costs stay. This cannot be undone."
        onConfirm={() => erase.mutate({ before: `${date}T00:00:00Z` })}
      >
        Erase content
      </ConfirmedButton>
    </div>
  );
}
