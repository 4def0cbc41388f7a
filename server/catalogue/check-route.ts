import { providers } from "../providers/registry";
import { checkValue, type Parameters } from "./check-value";
import { type ProviderKind, providerKinds } from "./model";
import { builtInProviders } from "./built-in-providers";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";

const kindsWith = (ability: "chat" | "submit"): ProviderKind[] =>
  providerKinds.filter((kind) => kind !== "worker" && providers[kind][ability] !== undefined);

/** How a model is priced, and the kinds of provider that can serve it then. */
export const kindsByPricing = {
  llm: kindsWith("chat"),
  gpu: ["worker"],
  pricing_tiers: kindsWith("submit"),
} satisfies Record<string, ProviderKind[]>;
export type PricingKey = keyof typeof kindsByPricing;

interface Surroundings {
  price: PricingKey | undefined;
  /** Kinds of the providers that a route can name, by their ids. */
  kinds: Map<string, ProviderKind>;
  /** Null when they have faults of their own. */
  parameters: Parameters | null;
}

/** Whether a route's provider is there and fits the model's price, and the route speaks of the model's parameters. */
export function checkRoute(route: Schema, around: Surroundings, say: ReportIssue): void {
  checkProviderOf(route, around, say);
  if (!around.parameters) return;
  checkRename(isSchema(route.rename) ? route.rename : {}, around.parameters, say);
  checkAccepts(isSchema(route.accepts) ? route.accepts : {}, around.parameters, say);
}

function checkProviderOf(route: Schema, { price, kinds }: Surroundings, say: ReportIssue): void {
  if (price && price !== "llm" && route.refuse !== undefined) say(["refuse"], "is for models priced by llm");
  if (typeof route.provider !== "string") return;
  const kind = kinds.get(route.provider);
  if (!kind) return say(["provider"], `there is no provider ${JSON.stringify(route.provider)}`);
  const fitting: ProviderKind[] = price ? kindsByPricing[price] : [kind];
  if (!fitting.includes(kind))
    say(["provider"], `is of kind ${kind}; a model priced by ${price} is served by ${fitting.join(", ")}`);
  if (!builtInProviders.some((own) => own.kind === kind) && route.upstream_model === undefined)
    say(["upstream_model"], `is required for a provider of kind ${kind}`);
}

function checkRename(rename: Schema, parameters: Parameters, say: ReportIssue) {
  const targets = new Set<unknown>();
  for (const [name, target] of Object.entries(rename)) {
    if (!parameters.has(name)) say(["rename", name], "there is no such parameter");
    const taken = parameters.has(String(target)) && !Object.hasOwn(rename, String(target));
    if (taken || targets.has(target)) say(["rename", name], `two parameters would be called ${String(target)}`);
    targets.add(target);
  }
}

function checkAccepts(accepts: Schema, parameters: Parameters, say: ReportIssue) {
  for (const [name, values] of Object.entries(accepts)) {
    if (!parameters.has(name)) say(["accepts", name], "there is no such parameter");
    else if (Array.isArray(values)) {
      for (const [index, value] of values.entries())
        checkValue(parameters, name, value, (message) => say(["accepts", name, index], message));
    }
  }
}
