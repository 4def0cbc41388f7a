import { setTimeout as sleep } from "node:timers/promises";
import { type RunningHub, startHub } from "../e2e/server";
import { reservePort } from "../test/reserve-port";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { generateLoad, type Load, median } from "./load";
import { findPostgres, readProcessorSeconds } from "./processor-time";
import { printLine, printTitle } from "./report";

const COUNTS = [1, 2, 4];
const ROUNDS = 3;
const SECONDS = 4;

interface Sample {
  perSecond: number;
  /** Milliseconds of CPU time per request, of the hub's processes and of Postgres. */
  hub: number;
  postgres: number;
}

/** Measures the built hub in one, two and four processes on one Postgres, in interleaved rounds. */
export async function benchProcesses({ hub, settings }: Bench): Promise<void> {
  await ensureBuilt(["client", "server", "pages"]);
  const keys = (await createCustomers(hub, "processes", 1_000)).map(({ key }) => key);
  const chat = JSON.stringify({ model: "sandbox-text", messages: [{ role: "user", content: "hi" }], max_tokens: 5 });
  const load = { connections: 64, seconds: SECONDS, keys };
  const postgres = await findPostgres(hub);
  const loads: Record<string, Load> = {
    "GET /me": { ...load, url: "/api/v1/me" },
    "POST /chat/completions": { ...load, url: "/api/v1/hub/chat/completions", method: "POST", body: chat },
  };
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const count of COUNTS) {
      const running = await startProcesses(settings, count);
      // Every process compiles its code.
      await generateLoad({ ...load, url: `${running.url}/api/v1/me` });
      for (const [name, each] of Object.entries(loads)) {
        const key = `${name}|${count}`;
        const sample = await measureSample(running, postgres, each);
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
      await running.stop();
    }
  }
  for (const name of Object.keys(loads)) {
    printTitle(`${name}: ${ROUNDS} rounds, medians`);
    const over = (count: number, figure: keyof Sample) =>
      median(samples.get(`${name}|${count}`)!.map((sample) => sample[figure]));
    for (const count of COUNTS) {
      const perSecond = over(count, "perSecond");
      const times = perSecond / over(COUNTS[0]!, "perSecond");
      const [ownMs, postgresMs] = [over(count, "hub"), over(count, "postgres")];
      printLine(
        `  processes: ${count} ${perSecond.toFixed(0).padStart(7)}/s  × ${times.toFixed(2)}   ms of a core for each request: hub ${ownMs.toFixed(3)}, Postgres ${postgresMs.toFixed(3)}`,
      );
    }
  }
}

async function startProcesses(settings: Record<string, string>, count: number): Promise<RunningHub> {
  const PORT = String(await reservePort());
  const running = await startHub({ env: { ...settings, HUB_PROCESSES: `${count}`, PORT, LOG_LEVEL: "info" } });
  // A single process has no supervisor, which writes that line.
  const served = () => running.output().match(/the process serves/g)?.length ?? 1;
  while (served() < count) await sleep(100);
  return running;
}

/** Generates a load whose URL is a path of the hub. */
async function measureSample({ url, child }: RunningHub, postgresPid: number, load: Load): Promise<Sample> {
  const readTimes = () => [child.pid!, postgresPid].map(readProcessorSeconds);
  const [hub, postgres] = readTimes();
  const { perSecond } = await generateLoad({ ...load, url: url + load.url });
  const [hubAfter, postgresAfter] = readTimes();
  const thousands = (perSecond * SECONDS) / 1_000;
  return {
    perSecond,
    hub: (hubAfter! - hub!) / thousands,
    postgres: (postgresAfter! - postgres!) / thousands,
  };
}
