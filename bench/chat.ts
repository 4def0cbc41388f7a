import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Hub } from "../server/context";
import { runAudit } from "../server/domain/audit/audit";
import { toEuros } from "../server/lib/money";
import { findFreePort } from "../test/cluster";
import { createCustomers } from "./accounts";
import { startChild } from "./child";
import { type Measured, generateLoad, quantile } from "./load";
import { portkeyHeaders, startPortkey } from "./portkey";
import { checkBound, printLine, printLoad, printTitle } from "./report";

const ROUNDS = 5;
const SECONDS = 5;
const body = JSON.stringify({
  model: "bench",
  messages: [
    { role: "system", content: "You are a keeper of lighthouses. Answer in one sentence." },
    { role: "user", content: "Where does a lighthouse stand, and what does it see when the night is clear?" },
  ],
  max_tokens: 100,
  temperature: 0.2,
});

/** Writes a catalogue with a provider and a model and returns its path. */
export async function writeCatalogue(folder: string, upstreamPort: number): Promise<string> {
  const file = path.join(folder, "catalogue.yaml");
  await writeFile(
    file,
    `providers: [{ id: up, kind: openai, base_url: "${upstreamUrl(upstreamPort)}", api_key: k }]
models:
  - id: bench
    llm: { input_cost_per_million: 0.15, output_cost_per_million: 0.6, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: bench }]
`,
  );
  return file;
}
const upstreamUrl = (port: number) => `http://127.0.0.1:${port}/v1`;

/** Measures what the hub adds between a client and a provider, beside another gateway and beside none. */
export async function benchChat(hub: Hub, base: string, upstreamPort: number): Promise<void> {
  printTitle(`Chats, ${ROUNDS} rounds of ${SECONDS} s, 16 connections, 100 accounts`);
  const upstream = await startChild("upstream.ts", { PORT: String(upstreamPort) });
  const portkey = await startPortkey(await findFreePort(), upstreamUrl(upstreamPort));
  const customers = await createCustomers(hub, "chat", 100);
  const keys = customers.map(({ key }) => key);
  const targets = {
    "directly to the provider": { url: `${upstreamUrl(upstreamPort)}/chat/completions`, keys: ["k"] },
    "through Portkey": { url: portkey.url, keys: ["k"], headers: portkeyHeaders(upstreamUrl(upstreamPort)) },
    "through the hub": { url: `${base}/api/v1/hub/chat/completions`, keys },
  };
  const rounds = new Map<string, Measured[]>(Object.keys(targets).map((name) => [name, []]));
  try {
    for (const [name, target] of Object.entries(targets))
      await generateLoad({ ...target, method: "POST", body, seconds: 3 }).catch((error: unknown) => {
        throw new Error(`The warm-up of "${name}" failed`, { cause: error });
      });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, target] of Object.entries(targets)) {
        rounds.get(name)!.push(await generateLoad({ ...target, method: "POST", body, seconds: SECONDS }));
      }
    }
  } finally {
    await portkey.stop();
    await upstream.stop();
  }
  for (const [name, measured] of rounds) printLoad(name, medianOf(measured));
  const [theirs, ours] = [rounds.get("through Portkey")!, rounds.get("through the hub")!];
  // Compared round by round, because other load on the machine slows down both.
  const ratio = (figure: keyof Measured) =>
    quantile(
      ours.map((measured, round) => measured[figure] / theirs[round]![figure]),
      0.5,
    );
  checkBound("chats a second, hub / Portkey", ratio("perSecond"), "at least", 1.5);
  checkBound("p50, hub / Portkey", ratio("p50"), "at most", 1);
  checkBound("p99, hub / Portkey", ratio("p99"), "at most", 1);
  const { violations, generations, balance } = await runAudit(hub.db);
  const spent = toEuros(BigInt(customers.length) * 10n ** 15n) - balance;
  printLine(`  ${generations} chats recorded and settled, ${spent.toFixed(6)} EUR charged`);
  checkBound("audit violations", violations.length, "at most", 0);
}

const medianOf = (rounds: Measured[]): Measured => ({
  perSecond: quantile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  ),
  p50: quantile(
    rounds.map(({ p50 }) => p50),
    0.5,
  ),
  p99: quantile(
    rounds.map(({ p99 }) => p99),
    0.5,
  ),
});
