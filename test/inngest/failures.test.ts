import { beforeAll, describe, expect, test } from "vitest";
import { isSoak, soakCount } from "../soak";
import { createLoad } from "./load";
import { type Result, readResult, waitUntilFinal } from "./result";
import { listScenarios, type Scenario } from "./scenarios";
import { startDeployment, type Deployment } from "./deployment";

const PER_SECOND = 6;
const WARM_UP_MS = soakCount(2_000, 8_000);
const MAX_FINAL_AFTER_MS = 60_000;
const TIMEOUT_MS = soakCount(600_000, 1_800_000);

const isAvailable = Boolean(process.env.INNGEST_TEST_BIN);
const print = (text: string) => void process.stdout.write(`${text}\n`);
if (!isAvailable) print("INNGEST_TEST_BIN is not set: faults on an Inngest server are not tested");
if (!isSoak) print("two hubs with the embedded engine are killed in turn by `npm run soak` alone");

// `npm test` kills a hub with the embedded engine in test/crash.
const isRun = ({ engine }: Scenario) => (engine === "embedded" ? isSoak : isAvailable);
const scenarios = listScenarios(process.env.INNGEST_TEST_REDIS ? "postgres" : "sqlite");
describe.each(scenarios)("$name ($engine)", (scenario) => {
  const { name, engine, hubs, generations } = scenario;
  const isSkipped = !isRun(scenario);
  let deployment: Deployment;
  beforeAll(async () => {
    if (isSkipped) return undefined;
    deployment = await startDeployment(engine, hubs);
    return () => deployment.stop();
  }, TIMEOUT_MS);

  test.skipIf(isSkipped)(
    "every generation ends as its prompt asks, soon after the failure, and is submitted once",
    async () => {
      const load = createLoad({
        url: deployment.hubs.url,
        keys: deployment.keys,
        count: generations,
        perSecond: PER_SECOND,
      });
      await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
      const [busy] = await deployment.db.query<{ count: bigint }>(
        "SELECT count(*) FROM generation WHERE status = 'running'",
      );
      await scenario.inject(deployment);
      await load.done;
      const failureEndedAt = Date.now();
      await waitUntilFinal(deployment.db, failureEndedAt);
      const result = await readResult(deployment.db, {
        accepted: load.accepted,
        failureEndedAt,
        lines: deployment.hubs.lines(),
      });
      const audit = await deployment.hubs.cli("audit", "--json");
      print(describeResult(`${name} (${engine}, ${busy!.count} running at the fault)`, result, audit.code));
      expect(result).toMatchObject({
        accepted: generations,
        unexpectedFailures: {},
        mismatches: [],
        submittedRepeatedly: [],
      });
      // The last log lines of a killed process may be missing.
      expect(result.submitted).toBeGreaterThan(generations * 0.9);
      expect(result.lastFinalAfterMs).toBeLessThan(MAX_FINAL_AFTER_MS);
      expect(JSON.parse(audit.stdout)).toMatchObject({ violations: [] });
    },
    TIMEOUT_MS,
  );
});

function describeResult(title: string, result: Result, auditCode: number): string {
  const { accepted, unexpectedFailures, mismatches, lastFinalAfterMs, last, submitted, submittedRepeatedly } = result;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `${title}: ${accepted} accepted, wrongly failed ${JSON.stringify(unexpectedFailures)}, otherwise ${mismatches.length}`,
    `last final after ${seconds(lastFinalAfterMs)} (queued ${seconds(last.queuedMs)}, running ${seconds(last.runningMs)})`,
    `${submitted} submitted, twice ${submittedRepeatedly.length}`,
    `audit ${auditCode === 0 ? "clean" : "broken"}`,
  ].join(", ");
}
