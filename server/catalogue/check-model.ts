import { asObject, isObject } from "../lib/is-object";
import { formatDecimal, mulCeil, type Nano, parseDecimal } from "../lib/money";
import { checkMatch, checkParameters, type Parameters } from "./check-parameters";
import { checkRoute } from "./check-route";
import { checkCacheWrites, checkTokenPrices } from "./check-token-prices";
import { findMaxUnits } from "./max-units";
import type { ProviderKind } from "./model";
import { UnitPricing, UnitTier } from "./shape-price";
import { MAX_PRICE } from "./shape-values";
import type { ReportIssue, Schema } from "./subschemas";
import type { WorkflowReader } from "./workflow-reader";

const priceKeys = ["llm", "gpu", "pricing_tiers", "pricing"];

export interface ModelContext {
  /** Kind of each provider, by its id. */
  kinds: Map<string, ProviderKind>;
  margin: Nano;
  readWorkflow: WorkflowReader;
}

/**
 * Reports issues between the parts of a model. Reads the model before its schema is checked, so that an invalid part does not
 * hide these issues; invalid parts are skipped.
 */
export function checkModel(model: Schema, { kinds, margin, readWorkflow }: ModelContext, report: ReportIssue): void {
  const prices = priceKeys.filter((name) => model[name] !== undefined);
  if (prices.length === 0) report([], "has no price: add llm, gpu, pricing_tiers or pricing");
  for (const extra of prices.slice(1)) report([extra], `conflicts with another price: ${prices[0]}`);

  if (isObject(model.llm)) checkTokenPrices(model.llm, (path, message) => report(["llm", ...path], message));
  if (
    isObject(model.llm) &&
    toEntries(model.routes).some(({ provider }) => kinds.get(String(provider)) === "anthropic")
  )
    checkCacheWrites(model.llm, "for a provider of kind anthropic", (path, message) =>
      report(["llm", ...path], message),
    );
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

const toEntries = (value: unknown): Schema[] => (Array.isArray(value) ? value.map(asObject) : []);

const ONE = parseDecimal(1);
const MAX_COST = parseDecimal(MAX_PRICE);
/** Far above any real generation; a larger number could not be stored exactly. */
const MAX_UNITS = 1_000_000;

/** Reports issues of a model's prices in USD, as written: values that no input has, and estimates without a bound. */
function checkPricing(model: Schema, parameters: Parameters, margin: Nano, report: ReportIssue): void {
  checkTiers(model.pricing_tiers, { parameters, margin, maxUnits: ONE }, (path, message) =>
    report(["pricing_tiers", ...path], message),
  );
  if (!isObject(model.pricing)) return;
  const shaped = UnitPricing.safeParse(model.pricing);
  const maxUnits = shaped.success
    ? findMaxUnits(shaped.data, parameters, (path, message) => report(["pricing", ...path], message))
    : null;
  if (maxUnits !== null && maxUnits > ONE * BigInt(MAX_UNITS))
    report(["pricing"], `lets one generation have more than ${MAX_UNITS} units: set a smaller maximum`);
  checkTiers(model.pricing.tiers, { parameters, margin, maxUnits }, (path, message) =>
    report(["pricing", "tiers", ...path], message),
  );
}

function checkTiers(
  tiers: unknown,
  { parameters, margin, maxUnits }: { parameters: Parameters; margin: Nano; maxUnits: Nano | null },
  report: ReportIssue,
): void {
  for (const [index, tier] of (Array.isArray(tiers) ? tiers : []).entries()) {
    if (!isObject(tier)) continue;
    checkMatch(parameters, tier.match, (path, message) => report([index, "match", ...path], message));
    const shaped = UnitTier.safeParse(tier);
    if (!shaped.success || maxUnits === null) continue;
    const { price_usd: first, next_price_usd: next = first } = shaped.data;
    const highest = mulCeil(mulCeil(first > next ? first : next, margin), maxUnits);
    if (highest > MAX_COST)
      report([index], `lets one generation cost ${formatDecimal(highest)} USD: at most ${MAX_PRICE} is supported`);
  }
}
