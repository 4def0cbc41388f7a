import type { Command } from "commander";
import { listJobs, retryRun, type RunRow } from "../../inngest/embedded/jobs";
import { AppError } from "../errors";
import { OperatorError } from "../lib/operator-error";
import { printResult, type OutputOptions } from "./print-result";
import { readCount } from "./read-count";
import { withHub } from "./with-hub";

interface JobsOptions extends OutputOptions {
  failed?: boolean;
  retry?: string;
  limit: number;
}

export function addJobsCommand(program: Command): void {
  program
    .command("jobs")
    .description("what the embedded job engine runs and ran, newest first")
    .option("--failed", "only those that failed through a fault of the hub or its engine")
    .option("--retry <id>", "let a failed one go on")
    .option("--limit <count>", "how many to show", readCount, 50)
    .option("--json")
    .action((options: JobsOptions) => (options.retry === undefined ? list(options) : retry(options, options.retry)));
}

async function list(options: JobsOptions): Promise<void> {
  const runs = await withHub(({ db, env }) => {
    if (env.inngest) throw elsewhere();
    return listJobs(db, options);
  });
  printResult(options, { data: runs }, runs.length === 0 ? "There are none." : runs.map(line).join("\n"));
}

async function retry(options: JobsOptions, id: string): Promise<void> {
  await withHub(async ({ db, env }) => {
    if (env.inngest) throw elsewhere();
    if (!(await retryRun(db, id))) throw new AppError("resource_not_found", `There is no failed job ${id}.`);
  });
  printResult(options, { id, retried: true }, `Job ${id} goes on.`);
}

const elsewhere = () => new OperatorError("An Inngest server runs the jobs; its dashboard shows them.");

const line = ({ id, function: name, status, startedAt, error }: RunRow): string =>
  [id, startedAt.toISOString(), status.padEnd(9), name, error].filter(Boolean).join("  ");
