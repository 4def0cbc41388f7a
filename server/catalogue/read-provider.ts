import type { ProviderSettings } from "./model";
import type { ProviderEntry } from "./shape";
import { substitute, type Variables } from "./substitute";

/** The settings of a checked provider, and the variables that it needs and that are not set. */
export function readProvider(
  { id, kind, base_url, api_key }: ProviderEntry,
  variables: Variables,
): { settings: ProviderSettings; missing: string[] } {
  const base = substitute(base_url ?? "", variables);
  const key = substitute(api_key ?? "", variables);
  const settings = { id, kind, baseUrl: base.value.replace(/\/+$/, "") || null, apiKey: key.value || null };
  return { settings, missing: [...new Set([...base.missing, ...key.missing])] };
}
