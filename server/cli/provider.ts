import type { Command } from "commander";
import { loadCatalogue } from "../catalogue/load";
import { describeProviders, type ProviderReport, type RouteReport } from "../domain/generations/describe-providers";
import { createLog } from "../lib/log";
import { printResult, type OutputOptions, withHub } from "./command";

/** Adds the `provider` commands. */
export function addProviderCommands(program: Command): void {
  const provider = program.command("provider").alias("providers").description("show and check the providers of models");
  provider
    .command("list", { isDefault: true })
    .description("list providers with their keys, routes, limits and failures")
    .option("--json")
    .action(runList);
}

/** Loads the catalogue without warnings, because the result shows them. */
const loadQuietly: typeof loadCatalogue = (options, variables) =>
  loadCatalogue({ ...options, log: createLog({ LOG_LEVEL: "silent" }) }, variables);

async function runList(options: OutputOptions): Promise<void> {
  const providers = await withHub(describeProviders, loadQuietly);
  const text = providers.map(formatProvider).join("\n\n") || "No providers. Add a catalogue with routes.";
  printResult(options, { data: providers }, text);
}

function formatProvider({ id, kind, routes, ...provider }: ProviderReport): string {
  const lines = [`${id} (${kind})`, ...describeState(provider), ...routes.flatMap(formatRoute)];
  return lines.join("\n  ");
}

function describeState(provider: Omit<ProviderReport, "id" | "kind" | "routes">): string[] {
  const { key, missing, in_flight, max_in_flight, per_minute, spent_today, spend_limit, lost } = provider;
  const keys = { set: "key set", missing: `key missing: ${missing.join(", ")} is not set`, none: "no key" };
  return [
    keys[key],
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
