import { runAudit } from "../server/domain/audit/audit";
import type { Hub } from "../server/domain/hub";
import { toEuros } from "../server/lib/money";
import { reservePort } from "../test/reserve-port";
import { createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { startChild } from "./child";
import { interleaveLoads, type Load, type Measured, type Rounds } from "./load";
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

/** Returns a catalogue with a provider at this port and a model. */
export const describeCatalogue = (upstreamPort: number): string => `
providers: [{ id: up, kind: openai, base_url: "${upstreamUrl(upstreamPort)}", api_key: k }]
models:
  - id: bench
    llm: { input_cost_per_million: 0.15, output_cost_per_million: 0.6, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: bench }]
`;
export const upstreamUrl = (port: number) => `http://127.0.0.1:${port}/v1`;

/**
 * Measures what the hub adds between a client and a provider, compared with another gateway, with the least that a
 * relay can do (with and without money), and with no relay.
 */
export async function benchChat({ hub, base, upstreamPort, settings }: Bench): Promise<void> {
  printTitle(`Chats, ${ROUNDS} rounds of ${SECONDS} s, 16 connections, 100 accounts`);
  const keys = (await createCustomers(hub, "chat", 100)).map(({ key }) => key);
  await createBareTables(hub, keys);
  const upstream = upstreamUrl(upstreamPort);
  const provider = `${upstream}/chat/completions`;
  const [barePort, pricelessPort] = [String(await reservePort()), String(await reservePort())];
  const startRelay = (PORT: string, DATABASE_URL: string) =>
    startChild("bare-relay.ts", { UPSTREAM: provider, PORT, DATABASE_URL });
  const portkey = await startPortkey(await reservePort(), upstream);
  const children = [
    portkey,
    await startChild("upstream.ts", { PORT: String(upstreamPort) }),
    await startRelay(barePort, settings.DATABASE_URL),
    await startRelay(pricelessPort, ""),
  ];
  const load = { method: "POST" as const, body: chatBody, seconds: SECONDS, keys };
  const loads: Record<Target, Load> = {
    "directly to the provider": { ...load, url: provider, keys: ["k"] },
    "through a bare relay without money": { ...load, url: `http://127.0.0.1:${pricelessPort}/` },
    "through a bare relay with money": { ...load, url: `http://127.0.0.1:${barePort}/` },
    "through Portkey": { ...load, url: portkey.url, keys: ["k"], headers: portkeyHeaders(upstream) },
    "through the hub": { ...load, url: `${base}/api/v1/hub/chat/completions` },
  };
  try {
    report(await interleaveLoads(loads, { rounds: ROUNDS, warmUpSeconds: 3 }));
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
  const { violations, generations, balance } = await runAudit(hub.db);
  const spent = toEuros(BigInt(keys.length) * 10n ** 15n) - balance;
  printLine(`  ${generations} chats recorded and settled, ${spent.toFixed(6)} EUR charged`);
  checkBound("audit violations", violations.length, "at most", 0);
}

type Target =
  | "directly to the provider"
  | "through a bare relay without money"
  | "through a bare relay with money"
  | "through Portkey"
  | "through the hub";

function report({ medians, ratio }: Rounds<Target>): void {
  for (const [name, measured] of medians) printLoad(name, measured);
  const ratioTo = (name: Target, figure: keyof Measured = "perSecond") => ratio(figure, "through the hub", name);
  const moneyless = ratioTo("through a bare relay without money");
  printLine(`  chats a second, hub / bare relay without money: ${moneyless.toFixed(2)}`);
  const money = ratioTo("through a bare relay with money");
  checkBound("chats a second, hub / bare relay with money", money, "at least", 0.75);
  checkBound("chats a second, hub / Portkey", ratioTo("through Portkey"), "at least", 2.4);
  checkBound("p50, hub / Portkey", ratioTo("through Portkey", "p50"), "at most", 1);
  checkBound("p99, hub / Portkey", ratioTo("through Portkey", "p99"), "at most", 1);
}

/** Creates the tables of the bare relay and an account with a million EUR for each key. */
async function createBareTables({ db }: Hub, keys: string[]): Promise<void> {
  await db.query(`
    CREATE TABLE bare_account (
      id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, key text NOT NULL UNIQUE,
      balance bigint NOT NULL, reserved bigint NOT NULL DEFAULT 0,
      CONSTRAINT bare_account_balance_covers_reserved CHECK (reserved >= 0 AND balance >= reserved))`);
  await db.query(`
    CREATE TABLE bare_chat (
      id uuid PRIMARY KEY, account_id int NOT NULL REFERENCES bare_account, held bigint NOT NULL, cost bigint,
      CONSTRAINT bare_chat_hold_covers_cost CHECK (cost BETWEEN 0 AND held))`);
  await db.query("INSERT INTO bare_account (key, balance) SELECT key, 1e15 FROM unnest($1::text[]) AS row (key)", [
    keys,
  ]);
}
