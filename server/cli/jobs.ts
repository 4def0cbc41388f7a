import { type Command, InvalidArgumentError } from "commander";
import { listJobs, retryFailedRun, type RunRow } from "../../inngest/embedded/jobs";
import { OperatorError } from "../lib/operator-error";
import { cliOperator, printResult, type OutputOptions, withHub } from "./command";

interface JobsOptions extends OutputOptions {
  failed?: boolean;
  retry?: string;
  limit: number;
}

/** Adds the `jobs` command. */
export function addJobsCommand(program: Command): void {
  program
    .command("jobs")
    .description("list jobs of the embedded engine, newest first")
    .option("--failed", "only jobs that failed because of an internal error")
    .option("--retry <id>", "retry a failed job")
    .option("--limit <count>", "maximum number of jobs", readCount, 50)
    .option("--json")
    .action((options: JobsOptions) =>
      options.retry === undefined ? runList(options) : runRetry(options, options.retry),
    );
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 999999.");
  return Number(text);
}

async function runList(options: JobsOptions): Promise<void> {
  const runs = await withHub(({ db, env }) => {
    if (env.inngest) throw notEmbedded();
    return listJobs(db, options);
  });
  printResult(options, { data: runs }, runs.length === 0 ? "No jobs." : runs.map(formatRun).join("\n"));
}

async function runRetry(options: JobsOptions, id: string): Promise<void> {
  await withHub(async (hub) => {
    if (hub.env.inngest) throw notEmbedded();
    await retryFailedRun(hub, cliOperator(), id);
  });
  printResult(options, { id, retried: true }, `Retrying job ${id}.`);
}

const notEmbedded = () => new OperatorError("An Inngest server runs the jobs; see its dashboard.");

const formatRun = ({ id, function: name, status, startedAt, error }: RunRow): string =>
  [id, startedAt.toISOString(), status.padEnd(9), name, error].filter(Boolean).join("  ");
