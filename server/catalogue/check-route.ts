import { isObject } from "../lib/is-object";
import { checkMatch, type Parameters } from "./check-parameters";
import { checkLengths } from "./check-token-prices";
import { checkRouteInput } from "./check-route-input";
import { checkWorkflow } from "./check-workflow";
import { kindRules, type ProviderKind, providerKinds } from "./provider-kinds";
import type { ReportIssue, Schema } from "./subschemas";
import type { WorkflowReader } from "./workflow-reader";

const kindsWithoutUpstreamModel = providerKinds.filter((kind) => kindRules[kind].upstream_model === "optional");

interface RouteContext {
  /** The setting with the model's price. */
  price: string | undefined;
  /** Kind of each provider, by its id. */
  kinds: Map<string, ProviderKind>;
  /** Null if the schema is invalid. */
  parameters: Parameters | null;
  readWorkflow: WorkflowReader;
}

/** Reports a provider that is missing or does not fit the model's price, and values of unknown parameters. */
export function checkRoute(route: Schema, context: RouteContext, report: ReportIssue): void {
  const { price, kinds, parameters, readWorkflow } = context;
  if (isObject(route.llm_cost)) checkLengths(route.llm_cost, (path, message) => report(["llm_cost", ...path], message));
  for (const name of ["refuse", "output_limit", "responses", "single_system", "llm_cost", "on_error"])
    if (price && price !== "llm" && route[name] !== undefined) report([name], "is only for models priced by llm");
  checkProviderOf(route, context, report);
  const upstreamNames = parameters && checkRouteInput(route, parameters, report);
  if (parameters) checkWhen(route.when, parameters, report);
  checkWorkflow(route, { kind: kinds.get(String(route.provider)), upstreamNames, readWorkflow }, report);
}

function checkProviderOf(route: Schema, { price, kinds }: RouteContext, report: ReportIssue): void {
  if (typeof route.provider !== "string") return;
  const kind = kinds.get(route.provider);
  if (!kind) return report(["provider"], `is not a provider: ${JSON.stringify(route.provider)}`);
  if (kind === "worker" && price !== undefined && price !== "gpu")
    report(["provider"], "is of kind worker, which serves only models priced by gpu");
  if (kind !== "worker" && price === "gpu")
    report(["provider"], `is of kind ${kind}; a model priced by gpu needs a provider of kind worker`);
  if (kind !== "openai") rejectOpenAiSettings(route, kind, report);
  if (!kindsWithoutUpstreamModel.includes(kind) && route.upstream_model === undefined)
    report(["upstream_model"], `is required for a provider of kind ${kind}`);
}

function rejectOpenAiSettings(route: Schema, kind: ProviderKind, report: ReportIssue): void {
  for (const name of ["responses", "single_system"])
    if (route[name] === true) report([name], `is only for providers of kind openai, and this one is of kind ${kind}`);
}

function checkWhen(when: unknown, parameters: Parameters, report: ReportIssue): void {
  for (const [index, entry] of (Array.isArray(when) ? when : []).entries()) {
    if (!isObject(entry)) continue;
    checkMatch(parameters, entry.match, (path, message) => report(["when", index, "match", ...path], message));
    if (entry.upstream_model === undefined && entry.price_usd === undefined)
      report(["when", index], "changes nothing: add upstream_model or price_usd");
  }
}
