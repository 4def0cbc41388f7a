import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Hub } from "../server/context";
import { runAudit } from "../server/domain/audit/audit";
import { toEuros } from "../server/lib/money";
import { findFreePort } from "../test/cluster";
import { createCustomers } from "./accounts";
import { createBareTables } from "./bare-tables";
import { startChild } from "./child";
import { type Measured, generateLoad, medianOf, quantile } from "./load";
import { portkeyHeaders, startPortkey } from "./portkey";
import { checkBound, printLine, printLoad, printTitle } from "./report";

const ROUNDS = 5;
const SECONDS = 4;
export const chatBody = JSON.stringify({
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

/**
 * Measures what the hub adds between a client and a provider, beside another gateway, beside the least that a relay can
 * do, with money and without, and beside none.
 */
export async function benchChat(hub: Hub, base: string, { upstreamPort, databaseUrl }: Surroundings): Promise<void> {
  printTitle(`Chats, ${ROUNDS} rounds of ${SECONDS} s, 16 connections, 100 accounts`);
  const customers = await createCustomers(hub, "chat", 100);
  const keys = customers.map(({ key }) => key);
  await createBareTables(hub, keys);
  const provider = `${upstreamUrl(upstreamPort)}/chat/completions`;
  const [barePort, pricelessPort] = [await findFreePort(), await findFreePort()];
  const upstream = await startChild("upstream.ts", { PORT: String(upstreamPort) });
  const portkey = await startPortkey(await findFreePort(), upstreamUrl(upstreamPort));
  const bare = { UPSTREAM: provider };
  const relay = await startChild("bare-relay.ts", { ...bare, PORT: String(barePort), DATABASE_URL: databaseUrl });
  const priceless = await startChild("bare-relay.ts", { ...bare, PORT: String(pricelessPort), DATABASE_URL: "" });
  const targets = {
    "directly to the provider": { url: provider, keys: ["k"] },
    "through a bare relay without money": { url: `http://127.0.0.1:${pricelessPort}/`, keys },
    "through a bare relay with money": { url: `http://127.0.0.1:${barePort}/`, keys },
    "through Portkey": { url: portkey.url, keys: ["k"], headers: portkeyHeaders(upstreamUrl(upstreamPort)) },
    "through the hub": { url: `${base}/api/v1/hub/chat/completions`, keys },
  };
  const rounds = new Map<string, Measured[]>(Object.keys(targets).map((name) => [name, []]));
  try {
    for (const [name, target] of Object.entries(targets))
      await generateLoad({ ...target, method: "POST", body: chatBody, seconds: 3 }).catch((error: unknown) => {
        throw new Error(`The warm-up of "${name}" failed`, { cause: error });
      });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, target] of Object.entries(targets)) {
        rounds.get(name)!.push(await generateLoad({ ...target, method: "POST", body: chatBody, seconds: SECONDS }));
      }
    }
  } finally {
    await portkey.stop();
    await relay.stop();
    await priceless.stop();
    await upstream.stop();
  }
  for (const [name, measured] of rounds) printLoad(name, medianOf(measured));
  // Compared round by round, because other load on the machine slows down all of them.
  const ratio = (figure: keyof Measured, name: keyof typeof targets) =>
    quantile(
      rounds.get("through the hub")!.map((measured, round) => measured[figure] / rounds.get(name)![round]![figure]),
      0.5,
    );
  const [money, none] = ["through a bare relay with money", "through a bare relay without money"] as const;
  printLine(`  chats a second, hub / bare relay without money: ${ratio("perSecond", none).toFixed(2)}`);
  checkBound("chats a second, hub / bare relay with money", ratio("perSecond", money), "at least", 0.75);
  checkBound("chats a second, hub / Portkey", ratio("perSecond", "through Portkey"), "at least", 2.4);
  checkBound("p50, hub / Portkey", ratio("p50", "through Portkey"), "at most", 1);
  checkBound("p99, hub / Portkey", ratio("p99", "through Portkey"), "at most", 1);
  const { violations, generations, balance } = await runAudit(hub.db);
  const spent = toEuros(BigInt(customers.length) * 10n ** 15n) - balance;
  printLine(`  ${generations} chats recorded and settled, ${spent.toFixed(6)} EUR charged`);
  checkBound("audit violations", violations.length, "at most", 0);
}

interface Surroundings {
  upstreamPort: number;
  databaseUrl: string;
}
