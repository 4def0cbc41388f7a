import { kindRules } from "./provider-kinds";
import { builtInProviders } from "./provider-settings";
import type { ProviderEntry } from "./shape";
import type { Variables } from "../catalogue-variables";
import type { Path } from "./subschemas";
import { describeForbidden, findForbiddenVariable, readLoneVariable, substitute } from "./substitute";

type Field = "base_url" | "api_key";
/** Settings that limit attempts. A worker fetches its own jobs, so it has none. */
const limits = ["max_in_flight", "per_minute", "spend_limit_usd"] as const;

interface ProviderIssue {
  path: Path;
  message: string;
}

/** Returns issues of a provider beyond its shape. No message repeats a value, which may be a secret. */
export function checkProvider(entry: ProviderEntry, variables: Variables): ProviderIssue[] {
  const builtIn = builtInProviders.find(({ id }) => id === entry.id);
  const isReserved = builtIn && builtIn.kind !== entry.kind;
  return [
    ...(isReserved ? [{ path: ["id"], message: `is reserved for the built-in provider of kind ${builtIn.kind}` }] : []),
    ...(["base_url", "api_key"] as const).flatMap((field) => {
      const message = describeFieldIssue(field, entry, variables);
      return message ? [{ path: [field], message }] : [];
    }),
    ...checkKeys(entry, variables),
    ...limits
      .filter((field) => entry.kind === "worker" && entry[field] !== undefined)
      .map((field) => ({ path: [field], message: "is not a setting of a provider of kind worker" })),
  ];
}

function describeFieldIssue(field: Field, entry: ProviderEntry, variables: Variables): string | undefined {
  const rule = kindRules[entry.kind][field];
  const text = entry[field];
  if (text === undefined) return describeAbsence(field, entry);
  if (rule === "none") return `is not a setting of a provider of kind ${entry.kind}`;
  const forbidden = findForbiddenVariable(text, variables);
  if (forbidden) return forbidden;
  const { value, missing } = substitute(text, variables);
  if (missing.length > 0 || (value === "" && rule === "optional")) return undefined;
  if (field === "base_url") return isBaseUrl(value) ? undefined : "must be an http(s) URL without credentials or query";
  return isKey(value) ? undefined : "must be printable characters without spaces";
}

const describeAbsence = (field: Field, { kind, api_keys }: ProviderEntry): string | undefined =>
  kindRules[kind][field] === "required" && (field === "base_url" || !api_keys) ? "is required" : undefined;

const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

function checkKeys({ kind, api_key, api_keys = [] }: ProviderEntry, variables: Variables): ProviderIssue[] {
  if (api_keys.length === 0) return [];
  const report = (message: string) => [{ path: ["api_keys"], message }];
  if (kindRules[kind].api_key === "none") return report(`is not a setting of a provider of kind ${kind}`);
  if (api_key !== undefined) return report("conflicts with api_key: list that key here");
  const names = api_keys.map(({ key }) => readLoneVariable(key)!);
  return names.flatMap((name, index) => {
    const message = describeKeyIssue(name, names.indexOf(name) < index, variables);
    return message ? [{ path: ["api_keys", index], message }] : [];
  });
}

function describeKeyIssue(name: string, isRepeated: boolean, variables: Variables): string | undefined {
  if (isRepeated) return `repeats ${name}: a variable names one key`;
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const isValid = !value || isKey(value);
  return describeForbidden(name, variables) ?? (isValid ? undefined : "must be printable characters without spaces");
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && ![username, password, search, hash].some(Boolean);
}
