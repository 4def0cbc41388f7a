import type { ProviderKind } from "./model";
import { builtInProviders } from "./built-in-providers";
import type { ProviderEntry } from "./shape";
import { substitute, type Variables } from "./substitute";

type Field = "base_url" | "api_key";
type Rule = "required" | "optional" | "none";

/** What a provider needs, by kind. A server that speaks OpenAI's language may well want no key. */
const rules: Record<ProviderKind, Record<Field, Rule>> = {
  openai: { base_url: "required", api_key: "optional" },
  sandbox: { base_url: "none", api_key: "none" },
  worker: { base_url: "none", api_key: "none" },
};

/** Faults of a provider that its shape cannot show. None repeats a value: it may be a secret. */
export function checkProvider(entry: ProviderEntry, variables: Variables): { field: Field | "id"; message: string }[] {
  const own = builtInProviders.find(({ id }) => id === entry.id);
  const taken = own && own.kind !== entry.kind;
  return [
    ...(taken ? [{ field: "id" as const, message: `is the hub's own provider of kind ${own.kind}` }] : []),
    ...(["base_url", "api_key"] as const).flatMap((field) => {
      const message = fieldFault(field, rules[entry.kind][field], entry, variables);
      return message ? [{ field, message }] : [];
    }),
  ];
}

function fieldFault(field: Field, rule: Rule, entry: ProviderEntry, variables: Variables): string | undefined {
  const text = entry[field];
  if (text === undefined) return rule === "required" ? "is required" : undefined;
  if (rule === "none") return `a provider of kind ${entry.kind} has none`;
  const { value, missing } = substitute(text, variables);
  if (missing.length > 0) return undefined;
  if (field === "base_url") return isBaseUrl(value) ? undefined : "must be an http(s) URL without credentials or query";
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "must be printable characters without spaces";
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && ![username, password, search, hash].some(Boolean);
}
