import type { Command } from "commander";
import { checkOnline } from "../catalogue/check-online";
import { loadCatalogue } from "../catalogue/load";
import type { Route } from "../catalogue/model";
import { describeProviders, type ProviderReport, type RouteReport } from "../domain/generations/read";
import { createLog } from "../lib/log";
import { OperatorError } from "../lib/operator-error";
import { printResult, type OutputOptions, withHub } from "./command";
import { formatChecks } from "./format-checks";
import { addProvider, type AddProviderOptions, splitList } from "./provider-add";

/** Adds the `provider` commands. */
export function addProviderCommands(program: Command): void {
  const provider = program.command("provider").alias("providers").description("show and check the providers of models");
  provider
    .command("list", { isDefault: true })
    .description("list providers with their keys, routes, limits and failures")
    .option("--json")
    .action(runList);
  provider
    .command("check [id]")
    .description("ask providers, free of charge, whether they know the key and the models; exit 1 if one does not")
    .option("--json")
    .action(runCheck);
  provider
    .command("add <kind>")
    .description("add models of a maker, such as replicate, to the applied catalogue")
    .option("--key-variable <name>", "environment variable with the key")
    .option("--models <ids>", "only these models, separated by commas", splitList)
    .option("--replace", "replace models that the catalogue already has")
    .option("--json")
    .action((kind: string, options: AddProviderOptions) => addProvider(kind, options));
}

async function runCheck(id: string | undefined, options: OutputOptions): Promise<void> {
  const { models, allowHosts } = await withHub(
    async ({ catalogue, env }) => ({ models: [...catalogue.values()], allowHosts: env.OUTBOUND_ALLOW_HOSTS }),
    loadQuietly,
  );
  // An id names one key of a provider, or a provider with all its keys.
  const isChecked = ({ provider }: Route) => id === undefined || [provider.id, provider.catalogueId].includes(id);
  const checked = models.map((model) => ({ ...model, routes: model.routes.filter(isChecked) }));
  if (id !== undefined && checked.every(({ routes }) => routes.length === 0))
    throw new OperatorError(`No route of the catalogue uses a provider ${id}.`);
  const data = await checkOnline(checked, { allowHosts });
  printResult(options, { data }, formatChecks(data).join("\n") || "No providers to check.");
  if (data.some(({ result }) => result === "failed")) process.exitCode = 1;
}

/** Loads the catalogue without warnings, because the result shows them. */
const loadQuietly: typeof loadCatalogue = (options, variables) =>
  loadCatalogue({ ...options, log: createLog({ LOG_LEVEL: "silent" }) }, variables);

async function runList(options: OutputOptions): Promise<void> {
  const providers = await withHub(describeProviders, loadQuietly);
  const text =
    providers.map(formatProvider).join("\n\n") || "No providers. Add one by `npm run hub -- provider add replicate`.";
  printResult(options, { data: providers }, text);
}

function formatProvider({ id, kind, routes, ...provider }: ProviderReport): string {
  const lines = [`${id} (${kind})`, ...describeState(provider), ...routes.flatMap(formatRoute)];
  return lines.join("\n  ");
}

function describeState(provider: Omit<ProviderReport, "id" | "kind" | "routes">): string[] {
  const { key, missing, retired, in_flight, max_in_flight, per_minute, spent_today, spend_limit, lost } = provider;
  const keys = { set: "key set", missing: `key missing: ${missing.join(", ")} is not set`, none: "no key" };
  return [
    `${keys[key]}${retired ? ", retired: no new work" : ""}`,
    `${in_flight}${max_in_flight === null ? "" : ` of ${max_in_flight}`} in flight`,
    ...(per_minute === null ? [] : [`at most ${per_minute} a minute`]),
    ...(spent_today === null ? [] : [`${spent_today} of ${spend_limit} EUR spent today`]),
    ...(lost === 0 ? [] : [`${lost} lost in 30 days, which the provider may have billed`]),
  ];
}

function formatRoute({ route, models, state, reason, open_until, ...last }: RouteReport): string[] {
  const states = {
    usable: "usable",
    cooling_down: `cools down until ${open_until} (${reason})`,
    trial: `cooled down (${reason}); the next job tries it`,
  };
  return [
    `${route} serves ${models.join(", ")}: ${states[state]}`,
    `  last success ${last.last_success_at ?? "never"}, last failure ${last.last_failure_at ?? "never"}` +
      (last.last_error === null ? "" : `: ${last.last_error}`),
  ];
}
