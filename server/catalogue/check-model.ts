import type { Nano } from "../lib/money";
import { checkParameters } from "./check-parameters";
import { checkPricing } from "./check-pricing";
import { checkRoute } from "./check-route";
import type { ProviderKind } from "./model";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";
import type { WorkflowReader } from "./workflow-reader";

const priceKeys = ["llm", "gpu", "pricing_tiers", "pricing"];

export interface ModelContext {
  /** Kind of each provider, by its id. */
  kinds: Map<string, ProviderKind>;
  margin: Nano;
  readWorkflow: WorkflowReader;
}

/**
 * Reports issues between the parts of a model. The model is read as written, so that an issue of its shape hides none of
 * these; parts of the wrong shape are skipped here.
 */
export function checkModel(model: Schema, { kinds, margin, readWorkflow }: ModelContext, report: ReportIssue): void {
  const prices = priceKeys.filter((name) => model[name] !== undefined);
  if (prices.length === 0) report([], "has no price: add llm, gpu, pricing_tiers or pricing");
  for (const extra of prices.slice(1)) report([extra], `conflicts with another price: ${prices[0]}`);

  const parameters = checkParameters(model.parameters_schema, (path, message) =>
    report(["parameters_schema", ...path], message),
  );
  if (parameters) checkPricing(model, parameters, margin, report);
  const seen = new Set<string>();
  for (const [index, route] of toEntries(model.routes).entries()) {
    const reportHere: ReportIssue = (path, message) => report(["routes", index, ...path], message);
    checkRoute(route, { price: prices[0], kinds, parameters, readWorkflow }, reportHere);
    const id = JSON.stringify([route.provider, route.upstream_model]);
    if (seen.has(id)) reportHere([], "duplicates a route: the same provider and upstream_model");
    seen.add(id);
  }
}

const toEntries = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.map((entry) => (isSchema(entry) ? entry : {})) : [];
