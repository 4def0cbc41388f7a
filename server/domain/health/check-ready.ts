import type { HubParts } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { OperatorError } from "../../lib/operator-error";

/** The parts of the hub that health uses. */
export type HealthHub = Pick<HubParts, "db" | "isStopping" | "jobEngine" | "now" | "storage">;

const TIMEOUT_MS = 2_000;

/** The services that must respond before requests can be served. An error names the first that does not. */
export const readinessParts = ["database", "storage", "job_engine"] as const;
type ReadinessPart = (typeof readinessParts)[number];

const checks: Record<ReadinessPart, { check: (hub: HealthHub) => Promise<unknown>; message: string }> = {
  database: { check: (hub) => selectOne(hub.db), message: "The database does not respond." },
  storage: { check: (hub) => hub.storage.check(), message: "The file storage does not respond." },
  job_engine: { check: (hub) => hub.jobEngine.check(), message: "The job engine does not respond." },
};

/**
 * Throws a 503 if the process is stopping, or if the database, the file storage or the job engine does not respond within
 * two seconds.
 */
export async function checkReady(hub: HealthHub): Promise<void> {
  if (hub.isStopping) throw notReady("The hub is stopping.");
  const issues = await findReadinessIssues(hub);
  for (const part of readinessParts) {
    const issue = issues[part];
    if (issue !== null) throw notReady(issue);
  }
}

/** Returns why each service is not ready; null for those that are. */
export async function findReadinessIssues(hub: HealthHub): Promise<Record<ReadinessPart, string | null>> {
  const issues = await Promise.all(readinessParts.map(async (part) => [part, await findIssue(hub, part)] as const));
  return Object.fromEntries(issues) as Record<ReadinessPart, string | null>;
}

async function findIssue(hub: HealthHub, part: ReadinessPart): Promise<string | null> {
  const { check, message } = checks[part];
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((_, reject) => (timer = setTimeout(reject, TIMEOUT_MS)));
  try {
    await Promise.race([check(hub), timeout]);
    return null;
  } catch (error) {
    return error instanceof OperatorError ? error.message : message;
  } finally {
    clearTimeout(timer);
  }
}

const notReady = (message: string) => new AppError("service_unavailable", message, {}, { "Retry-After": "2" });

const selectOne = statement({ params: [], row: { one: int4 }, text: "SELECT 1 AS one" });
