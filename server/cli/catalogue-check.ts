import { CatalogueError } from "../catalogue/catalogue-error";
import { checkOnline, type OnlineCheck } from "../catalogue/check-online";
import { parseCatalogue } from "../catalogue/parse";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import { readEnv, readVariables } from "../env";
import { printResult, type OutputOptions } from "./command";

export interface CheckOptions extends OutputOptions {
  online?: boolean;
}

/** Runs `catalogue check`. */
export async function checkCatalogueFile(file: string, options: CheckOptions): Promise<void> {
  const { text, readWorkflow } = await readCatalogueFile(file);
  try {
    const { models, warnings } = parseCatalogue(text, { file, variables: readVariables(), readWorkflow });
    const ids = models.map(({ id }) => id);
    const online = options.online ? await checkOnline(models, { allowHosts: readEnv().OUTBOUND_ALLOW_HOSTS }) : [];
    const count = ids.length === 1 ? "1 model" : `${ids.length} models`;
    const summary = `${file} is valid (${[count, ids.join(", ")].filter(Boolean).join(": ")})`;
    const result = { file, models: ids, warnings, faults: [], ...(options.online && { online }) };
    printResult(options, result, [...warnings, summary, ...formatChecks(online)].join("\n"));
    if (online.some((check) => check.result === "failed")) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CatalogueError) || !options.json) throw error;
    printResult(options, { file, models: [], warnings: [], faults: error.issues }, "");
    process.exitCode = 1;
  }
}

const labels = { ok: "ok", failed: "FAILED", not_checked: "not checked" };

/** Returns a table of what the providers said. */
function formatChecks(checks: OnlineCheck[]): string[] {
  const width = Math.max(0, ...checks.map(({ provider }) => provider.length));
  return checks.map(({ provider, upstream_model, models, result, problem }) =>
    [labels[result].padEnd("not checked".length), provider.padEnd(width), upstream_model ?? models.join(", "), problem]
      .filter(Boolean)
      .join("  "),
  );
}
