import { readdirSync, readFileSync } from "node:fs";
import type { Hub } from "../server/context";
import { setTimeout as sleep } from "node:timers/promises";
import { startHub } from "../e2e/server";
import { createCustomers } from "./accounts";
import { generateLoad, quantile } from "./load";
import { printLine, printTitle } from "./report";

const COUNTS = [1, 2, 4];
const ROUNDS = 3;
const SECONDS = 4;
const CLOCK_TICKS_PER_SECOND = 100;

interface Sample {
  perSecond: number;
  /** Seconds of a core that a thousand requests took, of the hub's processes and of Postgres. */
  hub: number;
  postgres: number;
}

/** Measures the built hub in one, two and four processes on one Postgres, in interleaved rounds. */
export async function benchProcesses(hub: Hub, settings: Record<string, string>): Promise<void> {
  const keys = (await createCustomers(hub, "processes", 1_000)).map(({ key }) => key);
  const chat = JSON.stringify({ model: "sandbox-text", messages: [{ role: "user", content: "hi" }], max_tokens: 5 });
  const loads = {
    "GET /me": { place: "/api/v1/me" },
    "POST /chat/completions": { place: "/api/v1/hub/chat/completions", method: "POST" as const, body: chat },
  };
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const count of COUNTS) {
      const running = await startHub({ env: { ...settings, HUB_PROCESSES: `${count}`, PORT: "0", LOG_LEVEL: "info" } });
      // One process has no parent that says so.
      const served = () => running.output().match(/the process serves/g)?.length ?? 1;
      while (served() < count) await sleep(100);
      await warmUp(running.url, keys);
      for (const [name, { place, ...load }] of Object.entries(loads)) {
        const before = measureCpu(running.child.pid!);
        const { perSecond } = await generateLoad({
          url: running.url + place,
          connections: 64,
          seconds: SECONDS,
          keys,
          ...load,
        });
        const after = measureCpu(running.child.pid!);
        const thousands = (perSecond * SECONDS) / 1_000;
        const sample = {
          perSecond,
          hub: (after.hub - before.hub) / thousands,
          postgres: (after.postgres - before.postgres) / thousands,
        };
        const key = `${name}|${count}`;
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
      await running.stop();
    }
  }
  for (const name of Object.keys(loads)) {
    printTitle(`${name}: ${ROUNDS} rounds, medians`);
    const median = (count: number, value: (sample: Sample) => number) =>
      quantile(samples.get(`${name}|${count}`)!.map(value), 0.5);
    const base = median(COUNTS[0]!, (sample) => sample.perSecond);
    for (const count of COUNTS) {
      const perSecond = median(count, (sample) => sample.perSecond);
      const [ownMs, postgresMs] = [median(count, (one) => one.hub), median(count, (one) => one.postgres)];
      printLine(
        `  ${count} processes ${perSecond.toFixed(0).padStart(7)}/s  × ${(perSecond / base).toFixed(2)}   ms of a core for each request: hub ${ownMs.toFixed(3)}, Postgres ${postgresMs.toFixed(3)}`,
      );
    }
  }
}

/** Has every process compile its code. */
async function warmUp(url: string, keys: string[]): Promise<void> {
  await generateLoad({ url: `${url}/api/v1/me`, connections: 64, seconds: SECONDS, keys });
}

/** Returns the seconds of a core that a hub's processes and every Postgres of this machine have used. */
function measureCpu(hubPid: number): { hub: number; postgres: number } {
  const used = { hub: 0, postgres: 0 };
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      const seconds = (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
      if (name === "postgres") used.postgres += seconds;
      else if (Number(pid) === hubPid || Number(fields[1]) === hubPid) used.hub += seconds;
    } catch {
      // It has ended.
    }
  }
  return used;
}
