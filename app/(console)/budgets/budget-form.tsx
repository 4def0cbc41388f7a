import { parsePairs } from "@/server/domain/labels/pairs";
import { useState } from "react";
import type { Inputs } from "../../trpc/outputs";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, SelectField, TextField, useFormIssue } from "../../ui/form";
import { type Budget, type Subjects, windowLabels } from "./types";

interface FormProps {
  busy: boolean;
  error: unknown;
  onSubmit: (form: FormData) => void;
}

type Errors = ReturnType<typeof errorsOf>;

const NameFields = ({ budget, errors }: { budget?: Budget; errors: Errors }) => (
  <>
    <TextField
      name="name"
      label="Name"
      placeholder="Team blue"
      hint="Shown to those whose requests it rejects."
      required
      data-missing="Enter a name."
      maxLength={100}
      defaultValue={budget?.name}
      error={errors?.field("name", "The name")}
    />
    <TextField
      name="amount"
      label="Amount (EUR)"
      type="number"
      inputMode="decimal"
      min="0.000000001"
      max="1000000"
      step="any"
      placeholder="50"
      required
      data-missing="Enter an amount."
      defaultValue={budget?.amount}
      error={errors?.field("amount", "The amount")}
    />
  </>
);

/** Edits the name and the amount of a budget. */
export function EditForm({ budget, busy, error, onSubmit }: FormProps & { budget: Budget }) {
  const errors = errorsOf(error);
  return (
    <Form onSubmit={onSubmit} error={error}>
      <NameFields budget={budget} errors={errors} />
      <p className="text-sm leading-6 text-soft">
        If the amount is below what has been spent, only new requests are rejected.
      </p>
      <FormError>{errors?.messageUnlessAt("name", "amount")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Save
      </Button>
    </Form>
  );
}

/** Returns the form's values as input of `budgets.update`. */
export const readEditForm = (form: FormData) => ({
  name: readText(form, "name"),
  amount: Number(readText(form, "amount")),
});

/** Creates a budget. */
export function BudgetForm({ subjects, busy, error, onSubmit }: FormProps & { subjects: Subjects }) {
  const errors = errorsOf(error);
  return (
    <Form onSubmit={onSubmit} error={error}>
      <NameFields errors={errors} />
      <SelectField name="window" label="Resets" defaultValue="month">
        {Object.entries(windowLabels).map(([window, label]) => (
          <option key={window} value={window}>
            {label}
          </option>
        ))}
      </SelectField>
      <ScopeFields subjects={subjects} errors={errors} />
      <FormError>{errors?.messageUnlessAt("name", "amount", "scope")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create budget
      </Button>
    </Form>
  );
}

function ScopeFields({ subjects, errors }: { subjects: Subjects; errors: Errors }) {
  const [kind, setKind] = useState("keys");
  return (
    <>
      <SelectField name="kind" label="Applies to" value={kind} onChange={({ target }) => setKind(target.value)}>
        <option value="keys">API keys</option>
        <option value="member">A member: their keys and what they run here</option>
        <option value="metadata">Requests with metadata</option>
        <option value="each_end_user">Each end user separately</option>
      </SelectField>
      {kind === "keys" && <KeyChecks subjects={subjects} error={errors?.field("scope", "The selection")} />}
      {kind === "member" && (
        <SelectField name="member" label="Member" error={errors?.field("scope", "The member")}>
          {subjects.members.map(({ id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </SelectField>
      )}
      {kind === "metadata" && (
        <TextField
          name="metadata"
          label="Metadata"
          placeholder="team=blue"
          hint="Requests without all of these pairs are outside the budget. Fixed metadata of a key can’t be left out."
          required
          data-missing="Enter at least one pair."
          error={errors?.field("scope", "The metadata")}
        />
      )}
      {kind === "each_end_user" && (
        <p className="text-sm leading-6 text-soft">
          Requests that name no end user are outside the budget, unless their key requires one.
        </p>
      )}
    </>
  );
}

function KeyChecks({ subjects, error }: { subjects: Subjects; error?: string }) {
  const keys = subjects.keys.filter(({ is_revoked }) => !is_revoked);
  const { issue } = useFormIssue("key");
  const [chosen, setChosen] = useState(0);
  return (
    <fieldset className="grid max-h-56 gap-2 overflow-y-auto rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-medium">API keys</legend>
      {keys.length === 0 && <p className="text-sm text-soft">There are no API keys yet.</p>}
      {keys.map(({ id, name, prefix }) => (
        <CheckField
          key={id}
          name="key"
          value={id}
          label={name}
          hint={`${prefix}…`}
          required={chosen === 0}
          data-missing="Choose at least one key."
          aria-invalid={issue ? true : undefined}
          onChange={({ target }) => setChosen(chosen + (target.checked ? 1 : -1))}
        />
      ))}
      <FormError>{issue ?? error}</FormError>
    </fieldset>
  );
}

type NewBudget = Inputs["budgets"]["create"];

/** Returns the form's values as input of `budgets.create`. */
export const readBudgetForm = (form: FormData): NewBudget => ({
  ...readEditForm(form),
  window: readText(form, "window") as NewBudget["window"],
  scope: readScope(form),
});

function readScope(form: FormData): NewBudget["scope"] {
  switch (readText(form, "kind")) {
    case "keys":
      return { keys: form.getAll("key") as string[] };
    case "member":
      return { member: Number(readText(form, "member")) };
    case "metadata":
      return { metadata: readPairs(readText(form, "metadata")) };
    default:
      return { each_end_user: true };
  }
}

/** Returns the pairs of a text. A part without a value is sent as null, so that the hub says what is wrong with it. */
const readPairs = (text: string): Record<string, string> =>
  Object.fromEntries(Object.entries(parsePairs(text)).map(([key, value]) => [key, value ?? null])) as Record<
    string,
    string
  >;
