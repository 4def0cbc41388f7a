"use client";

import { formatPairs, parsePairs } from "@/server/domain/labels/pairs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useFormats } from "../../ui/formats-context";
import { Input } from "../../ui/controls";
import type { errorsOf } from "../../ui/errors-of";
import { CheckField, SelectField, TextField } from "../../ui/form";
import { rateFieldNames, RateFields, readRateFields } from "./rate-fields";
import type { Key } from "./types";

const DAY_MS = 86_400_000;
/** The API accepts lower limits, which the form then keeps. */
const MIN_LIMIT = 0.01;

interface Props {
  errors: ReturnType<typeof errorsOf>;
  /** The key to edit; none for a new one. */
  apiKey?: Key;
}

/** Renders the fields that new and existing keys share; `readKeyFields` reads them. */
export const KeyFields = ({ errors, apiKey }: Props) => (
  <>
    <TextField
      name="name"
      label="Name"
      placeholder="server"
      required
      data-missing="Enter a name."
      maxLength={100}
      defaultValue={apiKey?.name}
      error={errors?.field("name", "The name")}
    />
    <ExpiryField key={apiKey?.expires_at} errors={errors} apiKey={apiKey} />
    <LimitFields errors={errors} apiKey={apiKey} />
    <ModelsField errors={errors} apiKey={apiKey} />
    <RateFields errors={errors} apiKey={apiKey} />
    <TextField
      name="metadata"
      label="Metadata"
      placeholder="team=blue, app=website"
      hint="Added to each generation of this key. Requests can’t change it."
      defaultValue={formatPairs(apiKey?.metadata ?? {})}
      error={errors?.field("metadata", "The metadata")}
    />
    <CheckField
      name="require_end_user"
      label="Require an end user"
      hint="Generations that name no end user are rejected."
      defaultChecked={apiKey?.require_end_user}
    />
    <CheckField
      name="allow_high_priority"
      label="Allow high priority"
      hint="Generations of this key may run before others of the account."
      defaultChecked={apiKey?.allow_high_priority ?? true}
    />
    <CheckField
      name="keeps_nothing"
      label="Keep no content"
      hint="Inputs and outputs of this key are erased once you have fetched the outputs, after an hour at the latest."
      defaultChecked={apiKey?.keeps_nothing}
    />
  </>
);

function ExpiryField({ errors, apiKey }: Props) {
  const formats = useFormats();
  const current = apiKey?.expires_at;
  return (
    <SelectField
      name="expiry"
      label="Expires"
      defaultValue={current ? "keep" : ""}
      error={errors?.field("expires_at", "The expiry")}
    >
      {current && <option value="keep">On {formats.dateTime(current)}</option>}
      <option value="">Never</option>
      <option value="7">In 7 days</option>
      <option value="30">In 30 days</option>
      <option value="90">In 90 days</option>
      <option value="365">In a year</option>
    </SelectField>
  );
}

function LimitFields({ errors, apiKey }: Props) {
  const [limit, setLimit] = useState(apiKey?.spend_limit?.toString() ?? "");
  const reset = apiKey && apiKey.spend_limit !== null ? (apiKey.spend_limit_reset ?? "") : "month";
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        name="limit"
        label="Spend limit (EUR)"
        type="number"
        inputMode="decimal"
        min={Math.min(MIN_LIMIT, apiKey?.spend_limit ?? MIN_LIMIT)}
        max="1000000"
        step="any"
        placeholder="No limit"
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
        error={errors?.field("spend_limit", "The limit")}
      />
      <SelectField
        name="reset"
        label="Resets"
        defaultValue={reset}
        disabled={limit === ""}
        error={errors?.field("spend_limit_reset")}
      >
        <option value="month">Monthly (UTC)</option>
        <option value="day">Daily (UTC)</option>
        <option value="">Never</option>
      </SelectField>
    </div>
  );
}

function ModelsField({ errors, apiKey }: Props) {
  const { data: offered = [] } = useQuery({ ...useTRPC().generations.models.queryOptions(), staleTime: Infinity });
  const allowed = apiKey?.allowed_models ?? null;
  const [isRestricted, setRestricted] = useState(allowed !== null);
  return (
    <>
      <SelectField
        name="models"
        label="Models"
        value={isRestricted ? "some" : "all"}
        onChange={(event) => setRestricted(event.target.value === "some")}
        error={errors?.field("allowed_models") && "Select at least one model that this hub offers."}
      >
        <option value="all">All models</option>
        <option value="some">Only selected models</option>
      </SelectField>
      {isRestricted && (
        <fieldset className="max-h-48 overflow-y-auto rounded-lg border border-line px-3 py-1">
          <legend className="sr-only">Allowed models</legend>
          {offered.map((id) => (
            <label
              key={id}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11"
            >
              <Input
                type="checkbox"
                name="model"
                value={id}
                defaultChecked={allowed?.includes(id)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 break-words">{id}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** The members of the input that `KeyFields` has a field for. */
export const keyFieldNames = [
  "name",
  "expires_at",
  "spend_limit",
  "spend_limit_reset",
  "allowed_models",
  "metadata",
  ...rateFieldNames,
];

/** Returns the values of `KeyFields` as input of `keys.create`, and of `keys.update` for the key that they edit. */
export function readKeyFields(form: FormData, apiKey?: Key) {
  const text = (name: string) => (form.get(name) as string | null) ?? "";
  const limit = text("limit") === "" ? null : Number(text("limit"));
  return {
    name: text("name"),
    expires_at: readExpiry(text("expiry")),
    spend_limit: limit,
    spend_limit_reset: limit === null ? null : ((text("reset") || null) as "day" | "month" | null),
    allowed_models: text("models") === "some" ? (form.getAll("model") as string[]) : null,
    metadata: readMetadata(text("metadata"), apiKey),
    require_end_user: form.has("require_end_user"),
    allow_high_priority: form.has("allow_high_priority"),
    keeps_nothing: form.has("keeps_nothing"),
    ...readRateFields(form),
  };
}

/** Returns the metadata; undefined if the text is unchanged, because the key may have values that the text cannot express. */
function readMetadata(text: string, apiKey?: Key): Record<string, string> | undefined {
  if (apiKey && text === formatPairs(apiKey.metadata ?? {})) return undefined;
  // A part without a value is sent as null, so that the hub says what is wrong with it.
  const pairs = Object.entries(parsePairs(text)).map(([key, value]) => [key, value ?? null] as const);
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Returns a time, null for never, and undefined for no change. */
function readExpiry(choice: string): string | null | undefined {
  if (choice === "keep") return undefined;
  return choice === "" ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}
