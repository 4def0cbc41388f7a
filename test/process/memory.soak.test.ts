import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { measureHub } from "../process-memory";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
/** Caches and pools have reached their sizes after the first ten minutes, and in a shorter run after half of it. */
const WARM_UP_MINUTES = Math.min(10, MINUTES / 2);
const SAMPLE_MS = 5_000;
const TICK_MS = 20;
const MAX_IN_FLIGHT = 100;
const MAX_GROWTH_MB = 20;
const UNLIMITED = "1000000000";

/** The requests that arrive in a second, however fast the hub answers. */
const load = [
  { perSecond: 200, path: "/hub/chat/completions", body: { model: "sandbox-text", messages: [{ role: "user", content: "hi" }], max_tokens: 5 } }, // prettier-ignore
  { perSecond: 8, path: "/hub/generations", body: { model: "sandbox-image", input: { prompt: "a lighthouse", format: "webp" } } }, // prettier-ignore
  { perSecond: 200, path: "/hub/generations?limit=20" },
];

test(
  `memory stays the same in ${MINUTES} minutes of chats, pictures and lists`,
  async () => {
    const env = { RATE_LIMIT_WRITES_PER_MINUTE: UNLIMITED, RATE_LIMIT_READS_PER_MINUTE: UNLIMITED };
    const hub = await startHub({ env });
    try {
      await hub.cli("credit", "grant", "--email", hub.demo.email, "--amount", "100000", "--note", "soak");
      const samples = await sampleUnderLoad(hub);
      const steady = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES);
      for (const part of ["hub", "postgres"] as const) {
        const values = steady.map((sample) => sample[part]);
        const [first, last] = [values.slice(0, values.length / 4), values.slice(-values.length / 4)].map(median);
        expect(last! - first!, `growth of ${part} in MB after ${WARM_UP_MINUTES} minutes`).toBeLessThan(MAX_GROWTH_MB);
      }
    } finally {
      await hub.stop();
    }
  },
  (MINUTES + 5) * 60_000,
);

interface Sample {
  minute: number;
  hub: number;
  /** Without its buffers, which fill up to their size. */
  postgres: number;
}

/** Sends the load for the time of the test and returns the memory in MB meanwhile. */
async function sampleUnderLoad(hub: RunningHub): Promise<Sample[]> {
  const began = performance.now();
  const minute = () => (performance.now() - began) / 60_000;
  const samples: Sample[] = [];
  const counts = { sent: 0, inFlight: 0, failed: 0 };
  const send = ({ path, body }: (typeof load)[number]) => {
    counts.inFlight += 1;
    counts.sent += 1;
    void sendRequest(hub, path, body)
      .catch(() => (counts.failed += 1))
      .finally(() => (counts.inFlight -= 1));
  };
  const due = load.map(() => 0);
  const timer = setInterval(() => {
    for (const [index, one] of load.entries())
      for (due[index]! += (one.perSecond * TICK_MS) / 1_000; due[index]! >= 1; due[index]! -= 1)
        if (counts.inFlight < MAX_IN_FLIGHT) send(one);
  }, TICK_MS);
  while (minute() < MINUTES) {
    await sleep(SAMPLE_MS);
    const { hub: hubMb, postgres, buffers } = await measureHub(hub);
    samples.push({ minute: minute(), hub: hubMb, postgres: postgres - buffers });
  }
  clearInterval(timer);
  expect(counts.failed).toBeLessThan(counts.sent / 100);
  return samples;
}

async function sendRequest(hub: RunningHub, path: string, body?: object): Promise<void> {
  const response = await fetch(`${hub.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${hub.key}`, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
