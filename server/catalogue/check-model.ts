import { checkParameters } from "./check-parameters";
import { checkRoute, type PricingKey, kindsByPricing } from "./check-route";
import { checkValue, type Parameters } from "./check-value";
import type { ProviderKind } from "./model";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";

/**
 * Faults between the parts of a model. It is read as written, so that a fault of its shape hides none of these:
 * what is not of the right shape is passed over here.
 */
export function checkModel(model: Schema, kinds: Map<string, ProviderKind>, say: ReportIssue): void {
  const prices = (Object.keys(kindsByPricing) as PricingKey[]).filter((name) => model[name] !== undefined);
  if (prices.length === 0) say([], "has no price: give it llm, gpu or pricing_tiers");
  for (const second of prices.slice(1)) say([second], `there is a price already: ${prices[0]}`);

  const parameters = checkParameters(model.parameters_schema, (path, message) =>
    say(["parameters_schema", ...path], message),
  );
  if (parameters) checkTiers(model, parameters, say);
  const seen = new Set<string>();
  for (const [index, route] of list(model.routes).entries()) {
    const sayHere: ReportIssue = (path, message) => say(["routes", index, ...path], message);
    checkRoute(route, { price: prices[0], kinds, parameters }, sayHere);
    const id = JSON.stringify([route.provider, route.upstream_model]);
    if (seen.has(id)) sayHere([], "is there already: the same provider and upstream_model");
    seen.add(id);
  }
}

function checkTiers(model: Schema, parameters: Parameters, say: ReportIssue) {
  for (const [index, { match }] of list(model.pricing_tiers).entries()) {
    for (const [name, value] of Object.entries(isSchema(match) ? match : {}))
      checkValue(parameters, name, value, (message) => say(["pricing_tiers", index, "match", name], message));
  }
}

const list = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.map((entry) => (isSchema(entry) ? entry : {})) : [];
