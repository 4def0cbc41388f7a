import { checkParameters, checkValue, type Parameters } from "./check-parameters";
import { checkRoute, type PricingKey, kindsByPricing } from "./check-route";
import type { ProviderKind } from "./model";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";

/**
 * Reports issues between the parts of a model. The model is read as written, so that an issue of its shape hides none of
 * these; parts of the wrong shape are skipped here.
 */
export function checkModel(model: Schema, kinds: Map<string, ProviderKind>, report: ReportIssue): void {
  const prices = (Object.keys(kindsByPricing) as PricingKey[]).filter((name) => model[name] !== undefined);
  if (prices.length === 0) report([], "has no price: add llm, gpu or pricing_tiers");
  for (const extra of prices.slice(1)) report([extra], `conflicts with another price: ${prices[0]}`);

  const parameters = checkParameters(model.parameters_schema, (path, message) =>
    report(["parameters_schema", ...path], message),
  );
  if (parameters) checkTiers(model, parameters, report);
  const seen = new Set<string>();
  for (const [index, route] of toEntries(model.routes).entries()) {
    const reportHere: ReportIssue = (path, message) => report(["routes", index, ...path], message);
    checkRoute(route, { price: prices[0], kinds, parameters }, reportHere);
    const id = JSON.stringify([route.provider, route.upstream_model]);
    if (seen.has(id)) reportHere([], "duplicates a route: the same provider and upstream_model");
    seen.add(id);
  }
}

function checkTiers(model: Schema, parameters: Parameters, report: ReportIssue) {
  for (const [index, { match }] of toEntries(model.pricing_tiers).entries()) {
    for (const [name, value] of Object.entries(isSchema(match) ? match : {}))
      checkValue(parameters, name, value, (message) => report(["pricing_tiers", index, "match", name], message));
  }
}

const toEntries = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.map((entry) => (isSchema(entry) ? entry : {})) : [];
