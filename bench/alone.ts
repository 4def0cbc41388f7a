import { Agent, request } from "node:http";
import { reservePort } from "../test/reserve-port";
import { createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { chatBody, upstreamUrl } from "./chat";
import { startChild } from "./child";
import { median, quantile } from "./load";
import { portkeyHeaders, startPortkey } from "./portkey";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 12;
const REQUESTS = 100;

/** Measures what the hub adds to one request while nobody else asks, beside a direct request and another gateway. */
export async function benchAlone({ hub, base, upstreamPort }: Bench): Promise<void> {
  printTitle(`One connection, ${ROUNDS} rounds of ${REQUESTS} requests in turn, medians`);
  const [customer] = await createCustomers(hub, "alone", 1);
  const { key } = customer!;
  const upstream = upstreamUrl(upstreamPort);
  const portkey = await startPortkey(await reservePort(), upstream);
  const children = [portkey, await startChild("upstream.ts", { PORT: String(upstreamPort) })];
  const streamed = JSON.stringify({ ...(JSON.parse(chatBody) as object), stream: true });
  const generation = JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } });
  const direct = { url: `${upstream}/chat/completions`, key: "k" };
  const hubChat = { url: `${base}/api/v1/hub/chat/completions`, key };
  const targets = {
    direct: { ...direct, body: chatBody },
    portkey: { url: portkey.url, key: "k", body: chatBody, headers: portkeyHeaders(upstream) },
    hub: { ...hubChat, body: chatBody },
    directStream: { ...direct, body: streamed },
    hubStream: { url: `${base}/v1/chat/completions`, key, body: streamed },
    generation: { url: `${base}/api/v1/hub/generations`, key, body: generation },
  } satisfies Record<string, Target>;
  try {
    report(await measureInTurn(targets));
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

interface Target {
  url: string;
  key: string;
  body: string;
  headers?: Record<string, string>;
}
/** Milliseconds to the first byte of a body and to its end. */
interface Times {
  first: number;
  end: number;
}
type Rounds<K extends string> = Record<K, Times[][]>;

async function measureInTurn<K extends string>(targets: Record<K, Target>): Promise<Rounds<K>> {
  const entries = Object.entries<Target>(targets) as [K, Target][];
  const rounds = Object.fromEntries(entries.map(([name]) => [name, [] as Times[][]])) as Rounds<K>;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first round warms up and does not count.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, target] of entries) {
      const times: Times[] = [];
      while (times.length < REQUESTS) times.push(await timeRequest(agent, target));
      if (round > 0) rounds[name].push(times);
    }
  agent.destroy();
  return rounds;
}

function timeRequest(agent: Agent, { url, key, body, headers }: Target): Promise<Times> {
  const sent = { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let first = NaN;
    const sending = request(url, { agent, method: "POST", headers: sent }, (response) => {
      if (response.statusCode! >= 300) reject(new Error(`${url} answered ${response.statusCode}`));
      response.once("data", () => (first = performance.now() - startedAt));
      response.on("data", () => undefined);
      response.once("end", () => resolve({ first, end: performance.now() - startedAt }));
    });
    sending.on("error", reject).end(body);
  });
}

type Name = "direct" | "portkey" | "hub" | "directStream" | "hubStream" | "generation";

function report(rounds: Rounds<Name>): void {
  const at = (name: Name, figure: keyof Times, q: number) =>
    rounds[name].map((times) => quantile(times.map((time) => time[figure]), q)); // prettier-ignore
  /** Returns how much longer one takes than another: the median over the rounds. */
  const added = (name: Name, to: Name, figure: keyof Times, q: number) => {
    const base = at(to, figure, q);
    return median(at(name, figure, q).map((ms, round) => ms - base[round]!));
  };
  for (const name of Object.keys(rounds) as Name[])
    printLine(`  ${name.padEnd(14)} p50 ${median(at(name, "end", 0.5)).toFixed(2)} ms   p99 ${median(at(name, "end", 0.99)).toFixed(2)} ms`); // prettier-ignore
  printLine(`  Portkey adds ${added("portkey", "direct", "end", 0.5).toFixed(2)} ms`);
  checkBound("what the hub adds to a chat, p50", added("hub", "direct", "end", 0.5), "at most", 2, " ms");
  const [p50, p99] = [0.5, 0.99].map((q) => added("hubStream", "directStream", "first", q));
  checkBound("what the hub adds to the first byte of a stream, p50", p50!, "at most", 2, " ms");
  printLine(`  and p99 ${p99!.toFixed(2)} ms`);
  checkBound("POST /generations, p50", median(at("generation", "end", 0.5)), "at most", 3, " ms");
}
