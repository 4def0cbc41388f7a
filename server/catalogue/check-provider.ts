import { kindRules } from "./provider-kinds";
import { builtInProviders } from "./provider-settings";
import type { ProviderEntry } from "./shape";
import type { Variables } from "../catalogue-variables";
import { findForbiddenVariable, substitute } from "./substitute";

type Field = "base_url" | "api_key";
/** Settings that limit attempts. A worker fetches its own jobs, so it has none. */
const limits = ["max_in_flight", "per_minute", "spend_limit_usd"] as const;

/** Returns issues of a provider beyond its shape. No message repeats a value, which may be a secret. */
export function checkProvider(
  entry: ProviderEntry,
  variables: Variables,
): { field: keyof ProviderEntry; message: string }[] {
  const builtIn = builtInProviders.find(({ id }) => id === entry.id);
  const isReserved = builtIn && builtIn.kind !== entry.kind;
  return [
    ...(isReserved
      ? [{ field: "id" as const, message: `is reserved for the built-in provider of kind ${builtIn.kind}` }]
      : []),
    ...(["base_url", "api_key"] as const).flatMap((field) => {
      const message = describeFieldIssue(field, entry, variables);
      return message ? [{ field, message }] : [];
    }),
    ...limits
      .filter((field) => entry.kind === "worker" && entry[field] !== undefined)
      .map((field) => ({ field, message: "is not a setting of a provider of kind worker" })),
  ];
}

function describeFieldIssue(field: Field, entry: ProviderEntry, variables: Variables): string | undefined {
  const rule = kindRules[entry.kind][field];
  const text = entry[field];
  if (text === undefined) return rule === "required" ? "is required" : undefined;
  if (rule === "none") return `is not a setting of a provider of kind ${entry.kind}`;
  const forbidden = findForbiddenVariable(text, variables);
  if (forbidden) return forbidden;
  const { value, missing } = substitute(text, variables);
  if (missing.length > 0 || (value === "" && rule === "optional")) return undefined;
  if (field === "base_url") return isBaseUrl(value) ? undefined : "must be an http(s) URL without credentials or query";
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "must be printable characters without spaces";
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && ![username, password, search, hash].some(Boolean);
}
