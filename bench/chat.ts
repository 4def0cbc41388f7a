import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Hub } from "../server/context";
import { runAudit } from "../server/domain/audit/audit";
import { toEuros } from "../server/lib/money";
import { freePort } from "../test/cluster";
import { makeCustomers } from "./accounts";
import { startChild } from "./child";
import { type Measured, generateLoad, quantile } from "./load";
import { portkeyHeaders, startPortkey } from "./portkey";
import { checkBound, line, printLine, title } from "./report";

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
  title(`chats of ${SECONDS} s in ${ROUNDS} rounds, 16 connections, over a hundred accounts`);
  const upstream = await startChild("upstream.ts", { PORT: String(upstreamPort) });
  const portkey = await startPortkey(await freePort(), upstreamUrl(upstreamPort));
  const customers = await makeCustomers(hub, "chat", 100);
  const keys = customers.map(({ key }) => key);
  const ways = {
    "the provider alone": { url: `${upstreamUrl(upstreamPort)}/chat/completions`, keys: ["k"] },
    "through Portkey": { url: portkey.url, keys: ["k"], headers: portkeyHeaders(upstreamUrl(upstreamPort)) },
    "through the hub": { url: `${base}/api/v1/hub/chat/completions`, keys },
  };
  const rounds = new Map<string, Measured[]>(Object.keys(ways).map((name) => [name, []]));
  try {
    for (const [name, way] of Object.entries(ways))
      await generateLoad({ ...way, method: "POST", body, seconds: 3 }).catch((error: unknown) => {
        throw new Error(`${name} does not work`, { cause: error });
      });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        rounds.get(name)!.push(await generateLoad({ ...way, method: "POST", body, seconds: SECONDS }));
      }
    }
  } finally {
    await portkey.stop();
    await upstream.stop();
  }
  for (const [name, measured] of rounds) line(name, median(measured));
  const [theirs, ours] = [rounds.get("through Portkey")!, rounds.get("through the hub")!];
  // Round by round: what else the machine does hits both.
  const against = (of: keyof Measured) =>
    quantile(
      ours.map((measured, round) => measured[of] / theirs[round]![of]),
      0.5,
    );
  checkBound("the hub's chats a second against Portkey's", against("perSecond"), "at least", 1.5);
  checkBound("the hub's p50 against Portkey's", against("p50"), "at most", 1);
  checkBound("the hub's p99 against Portkey's", against("p99"), "at most", 1);
  const { violations, generations, balance } = await runAudit(hub.db);
  const spent = toEuros(BigInt(customers.length) * 10n ** 15n) - balance;
  printLine(`  ${generations} chats recorded and settled, ${spent.toFixed(6)} EUR charged`);
  checkBound("violations of the books", violations.length, "at most", 0);
}

const median = (rounds: Measured[]): Measured => ({
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
