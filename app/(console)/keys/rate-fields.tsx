"use client";

import type { errorsOf } from "../../ui/errors-of";
import { TextField } from "../../ui/form";
import type { Key } from "./types";

interface Props {
  errors: ReturnType<typeof errorsOf>;
  apiKey?: Key;
}

/** Renders the fields for a key's requests and tokens a minute and its addresses; `readRateFields` reads them. */
export const RateFields = ({ errors, apiKey }: Props) => (
  <>
    <div className="grid grid-cols-2 gap-3">
      <TextField
        name="requestsPerMinute"
        label="Requests per minute"
        type="number"
        inputMode="numeric"
        min="1"
        max="1000000"
        placeholder="No limit"
        defaultValue={apiKey?.requests_per_minute ?? ""}
        error={errors?.field("requests_per_minute", "The limit")}
      />
      <TextField
        name="tokensPerMinute"
        label="Tokens per minute"
        type="number"
        inputMode="numeric"
        min="1"
        max="1000000000"
        placeholder="No limit"
        defaultValue={apiKey?.tokens_per_minute ?? ""}
        error={errors?.field("tokens_per_minute", "The limit")}
      />
    </div>
    <TextField
      name="allowedIps"
      label="Allowed IP addresses"
      hint="Addresses or CIDR ranges, separated by commas."
      placeholder="All addresses"
      defaultValue={apiKey?.allowed_ips?.join(", ") ?? ""}
      error={errors?.field("allowed_ips", "An address")}
    />
  </>
);

/** The members of the input that `RateFields` has a field for. */
export const rateFieldNames = ["requests_per_minute", "tokens_per_minute", "allowed_ips"];

/** Returns the values of `RateFields` as input of `keys.create` and `keys.update`. */
export function readRateFields(form: FormData) {
  const text = (name: string) => ((form.get(name) as string | null) ?? "").trim();
  const number = (name: string) => (text(name) === "" ? null : Number(text(name)));
  const addresses = text("allowedIps").match(/[^\s,]+/g);
  return {
    requests_per_minute: number("requestsPerMinute"),
    tokens_per_minute: number("tokensPerMinute"),
    allowed_ips: addresses && [...addresses],
  };
}
