import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type RunningHub, startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { openReplicateDouble, type ReplicateDouble } from "../test/providers/replicate/double";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const PER_SECOND = 50;
const SECONDS = 20;
const WARM_UP_SECONDS = 5;
const END_INTERVAL_MS = 50;
/** How long a job takes at the least: as long as the fastest models. */
const MIN_JOB_MS = 300;
const LARGE_OUTPUTS = 4;

/** Measures the time from acceptance to success at a provider that is polled, and at one that calls back. */
export async function benchProviders(databaseUrl: string, folder: string): Promise<void> {
  printTitle(`Accepted → succeeded at a double of Replicate, ${PER_SECOND} jobs a second, less the double's own time`);
  await ensureBuilt(["client", "server", "pages"]);
  const double = await openReplicateDouble();
  const catalogue = path.join(folder, "providers.yaml");
  await writeFile(catalogue, describeCatalogue(double.base));
  const hub = await startHub({
    env: {
      DATABASE_URL: databaseUrl,
      HUB_SECRET: "a secret of at least thirty-two characters",
      SANDBOX: "off",
      HUB_CATALOGUE: catalogue,
      RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
      RUNNING_PER_ACCOUNT: "1000",
    },
  });
  try {
    const key = await createKey(hub);
    const setup = { hub, key, double, databaseUrl };
    // The first jobs load and compile what later ones use.
    await runJobs(setup, "sent", WARM_UP_SECONDS);
    const polled = await measure(setup, "lost");
    const calledBack = await measure(setup, "sent");
    const peakMb = await measureLargeOutputs(setup);
    checkBound("p50, polled", quantile(polled, 0.5), "at most", 1_500, " ms");
    checkBound("p50, called back", quantile(calledBack, 0.5), "at most", 150, " ms");
    if (peakMb !== null)
      checkBound(`memory for ${LARGE_OUTPUTS} outputs of 50 MiB at once`, peakMb, "at most", 64, " MB");
  } finally {
    await hub.stop();
    await double.close();
  }
}

const describeCatalogue = (base: string): string => `
providers:
  - { id: maker, kind: replicate, base_url: "${base}", api_key: test-key-0123456789 }
models:
  - id: picture
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: maker, upstream_model: black-forest-labs/flux-schnell }]
`;

async function createKey(hub: RunningHub): Promise<string> {
  const email = "bench-providers@example.org";
  await hub.cli("account", "create", "--email", email, "--password", "correct horse", "--credit", "1000");
  const { stdout } = await hub.cli("key", "create", "--email", email, "--name", "bench", "--json");
  return /service_sk_\w+/.exec(stdout)![0];
}

interface Setup {
  hub: RunningHub;
  key: string;
  double: ReplicateDouble;
  databaseUrl: string;
}

/** Returns the milliseconds that the hub added to each job, after it printed how they are distributed. */
async function measure(setup: Setup, callbacks: Callbacks): Promise<number[]> {
  const times = await runJobs(setup, callbacks, SECONDS);
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(0));
  printLine(`  ${callbacks === "lost" ? "polled" : "called back"}: ${times.length} jobs, p50 ${p50} ms, p99 ${p99} ms`);
  return times;
}

type Callbacks = "lost" | "sent";

/** Runs jobs at a steady rate and returns the milliseconds that the hub added to each. */
async function runJobs(setup: Setup, callbacks: Callbacks, seconds: number): Promise<number[]> {
  const { hub, key, double } = setup;
  Object.assign(double.settings, { callbacks, statuses: ["processing"] });
  const first = double.predictions.length;
  const prompts = Array.from({ length: PER_SECOND * seconds }, (_, n) => `${callbacks} ${first + n}`);
  const ending = new AbortController();
  const ends = endRepeatedly(double, ending.signal);
  await Promise.all(prompts.map((prompt, n) => submit(hub, key, prompt, (n * 1000) / PER_SECOND)));
  const spans = await readSpans(setup, prompts);
  ending.abort();
  await ends;
  const own = new Map(
    double.predictions
      .slice(first)
      .map(({ input, createdAt, completedAt }) => [
        (input as { prompt: string }).prompt,
        completedAt!.getTime() - createdAt.getTime(),
      ]),
  );
  return prompts.map((prompt) => spans.get(prompt)! - own.get(prompt)!);
}

/** Returns by how many megabytes large outputs raise the hub's memory while they are stored; null where nobody knows. */
async function measureLargeOutputs(setup: Setup): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const { hub, key, double } = setup;
  const prompts = Array.from({ length: LARGE_OUTPUTS }, (_, n) => `large ${n}`);
  double.setOutcomes(...prompts.map(() => "large file" as const));
  // Linux forgets the peak of before.
  await writeFile(`/proc/${hub.child.pid}/clear_refs`, "5");
  const before = await readMemory(hub, "VmRSS");
  const ending = new AbortController();
  const ends = endRepeatedly(double, ending.signal);
  await Promise.all(prompts.map((prompt) => submit(hub, key, prompt, 0)));
  await readSpans(setup, prompts);
  ending.abort();
  await ends;
  return (await readMemory(hub, "VmHWM")) - before;
}

async function readMemory({ child }: RunningHub, name: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)![1]) / 1000;
}

/** Ends the double's predictions when they have run for a while. */
async function endRepeatedly(double: ReplicateDouble, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(END_INTERVAL_MS);
    await double.endAll(MIN_JOB_MS);
  }
}

async function submit(hub: RunningHub, key: string, prompt: string, afterMs: number): Promise<void> {
  await delay(afterMs);
  const response = await fetch(`${hub.url}/api/v1/hub/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "picture", input: { prompt } }),
  });
  if (response.status !== 202) throw new Error(`a submit was answered with ${response.status}`);
}

/** Waits until all generations have succeeded and returns the milliseconds from acceptance to success, by prompt. */
async function readSpans({ databaseUrl }: Setup, prompts: string[]): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ prompt: string; ms: number }>(
        `SELECT input ->> 'prompt' AS prompt, (extract(epoch FROM completed_at - created_at) * 1000)::float8 AS ms
         FROM generation WHERE status = 'succeeded' AND input ->> 'prompt' = ANY ($1)`,
        [prompts],
      );
      if (rows.length === prompts.length) return new Map(rows.map(({ prompt, ms }) => [prompt, ms]));
      await delay(500);
    }
  } finally {
    await client.end();
  }
}
