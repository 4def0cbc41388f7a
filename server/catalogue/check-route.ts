import { providers } from "../providers/registry";
import { checkValue, type Parameters } from "./check-parameters";
import { type ProviderKind, providerKinds } from "./model";
import { builtInProviders } from "./built-in-providers";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";

const kindsWith = (ability: "chat" | "submit"): ProviderKind[] =>
  providerKinds.filter((kind) => kind !== "worker" && providers[kind]?.[ability] !== undefined);

/** The kinds of provider that can serve a model, by the way it is priced. */
export const kindsByPricing = {
  llm: kindsWith("chat"),
  gpu: ["worker"],
  pricing_tiers: kindsWith("submit"),
} satisfies Record<string, ProviderKind[]>;
export type PricingKey = keyof typeof kindsByPricing;

interface RouteContext {
  price: PricingKey | undefined;
  /** Kind of each provider, by its id. */
  kinds: Map<string, ProviderKind>;
  /** Null if the schema is invalid. */
  parameters: Parameters | null;
}

/** Reports a provider that is missing or does not fit the model's price, and values of unknown parameters. */
export function checkRoute(route: Schema, context: RouteContext, report: ReportIssue): void {
  checkRouteProvider(route, context, report);
  if (!context.parameters) return;
  checkRename(isSchema(route.rename) ? route.rename : {}, context.parameters, report);
  checkAccepts(isSchema(route.accepts) ? route.accepts : {}, context.parameters, report);
}

function checkRouteProvider(route: Schema, { price, kinds }: RouteContext, report: ReportIssue): void {
  if (price && price !== "llm" && route.refuse !== undefined) report(["refuse"], "is only for models priced by llm");
  if (typeof route.provider !== "string") return;
  const kind = kinds.get(route.provider);
  if (!kind) return report(["provider"], `is not a provider: ${JSON.stringify(route.provider)}`);
  const validKinds: ProviderKind[] = price ? kindsByPricing[price] : [kind];
  if (!validKinds.includes(kind))
    report(
      ["provider"],
      `is of kind ${kind}; a model priced by ${price} needs a provider of kind ${validKinds.join(", ")}`,
    );
  if (!builtInProviders.some((builtIn) => builtIn.kind === kind) && route.upstream_model === undefined)
    report(["upstream_model"], `is required for a provider of kind ${kind}`);
}

function checkRename(rename: Schema, parameters: Parameters, report: ReportIssue) {
  const targets = new Set<unknown>();
  for (const [name, target] of Object.entries(rename)) {
    if (!parameters.has(name)) report(["rename", name], "is not a parameter of the model");
    const isParameter = parameters.has(String(target)) && !Object.hasOwn(rename, String(target));
    if (isParameter || targets.has(target)) report(["rename", name], `gives two parameters the name ${String(target)}`);
    targets.add(target);
  }
}

function checkAccepts(accepts: Schema, parameters: Parameters, report: ReportIssue) {
  for (const [name, values] of Object.entries(accepts)) {
    if (!parameters.has(name)) report(["accepts", name], "is not a parameter of the model");
    else if (Array.isArray(values)) {
      for (const [index, value] of values.entries())
        checkValue(parameters, name, value, (message) => report(["accepts", name, index], message));
    }
  }
}
