import { beforeAll, describe, expect, test } from "vitest";
import { times } from "../soak";
import { createLoad } from "./load";
import { type Result, readResult, waitUntilFinal } from "./result";
import { listScenarios } from "./scenarios";
import { startWorld, type World } from "./world";

const PER_SECOND = 6;
const WARM_UP_MS = times(2_000, 8_000);
const MAX_FINAL_AFTER_MS = 60_000;
const TIMEOUT_MS = times(600_000, 1_800_000);

const isAvailable = Boolean(process.env.INNGEST_TEST_BIN);
const print = (text: string) => void process.stdout.write(`${text}\n`);
if (!isAvailable) print("INNGEST_TEST_BIN is not set: faults on an Inngest server are not tested");

const scenarios = listScenarios(process.env.INNGEST_TEST_REDIS ? "postgres" : "sqlite");
describe.skipIf(!isAvailable).each(scenarios)("$name ($engine)", (scenario) => {
  const { name, engine, hubs, generations } = scenario;
  let world: World;
  beforeAll(async () => {
    world = await startWorld(engine, hubs);
    return () => world.stop();
  }, TIMEOUT_MS);

  test(
    "every generation ends as its prompt says, soon after the fault, and is submitted once",
    async () => {
      const load = createLoad({ url: world.hubs.url, keys: world.keys, count: generations, perSecond: PER_SECOND });
      await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
      const [busy] = await world.db.query<{ count: bigint }>(
        "SELECT count(*) FROM generation WHERE status = 'running'",
      );
      await scenario.inject(world);
      await load.done;
      const faultEndedAt = Date.now();
      await waitUntilFinal(world.db, faultEndedAt);
      const result = await readResult(world.db, {
        accepted: load.accepted,
        faultEndedAt,
        lines: world.hubs.lines(),
      });
      const audit = await world.hubs.cli("audit", "--json");
      print(describeResult(`${name} (${engine}, ${busy!.count} running at the fault)`, result, audit.code));
      expect(result).toMatchObject({ accepted: generations, wronglyFailed: {}, otherwise: [], submittedTwice: [] });
      // A killed process may take its last lines with it.
      expect(result.submitted).toBeGreaterThan(generations * 0.9);
      expect(result.lastFinalAfterMs).toBeLessThan(MAX_FINAL_AFTER_MS);
      expect(JSON.parse(audit.stdout)).toMatchObject({ violations: [] });
    },
    TIMEOUT_MS,
  );
});

function describeResult(title: string, result: Result, auditCode: number): string {
  const { accepted, wronglyFailed, otherwise, lastFinalAfterMs, last, submitted, submittedTwice } = result;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    `${title}: ${accepted} accepted, wrongly failed ${JSON.stringify(wronglyFailed)}, otherwise ${otherwise.length}`,
    `last final after ${seconds(lastFinalAfterMs)} (queued ${seconds(last.queuedMs)}, running ${seconds(last.runningMs)})`,
    `${submitted} submitted, twice ${submittedTwice.length}`,
    `audit ${auditCode === 0 ? "clean" : "broken"}`,
  ].join(", ");
}
