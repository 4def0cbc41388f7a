import { runAudit } from "../server/domain/audit/audit";
import { createBudget } from "../server/domain/budgets/change-budget";
import type { Hub } from "../server/domain/hub";
import { contextOf, createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { chatBody } from "./chat";
import { startChild } from "./child";
import { interleaveLoads, type Rounds } from "./load";
import { checkBound, printLine, printLoad, printTitle } from "./report";

const ROUNDS = 12;
const WINDOWS = ["day", "month", "total"] as const;

/** Measures what three budgets cost a chat and a new generation, beside accounts without one. */
export async function benchBudgets({ hub, base, upstreamPort }: Bench): Promise<void> {
  printTitle(`Accounts with ${WINDOWS.length} budgets beside accounts without, ${ROUNDS} rounds of 4 s`);
  const without = (await createCustomers(hub, "free", 100)).map(({ key }) => key);
  const bound = await createCustomers(hub, "bound", 100);
  for (const { id } of bound) await addBudgets(hub, id);
  const withBudgets = bound.map(({ key }) => key);
  const upstream = await startChild("upstream.ts", { PORT: String(upstreamPort) });
  const chat = { method: "POST" as const, body: chatBody, seconds: 4, url: `${base}/api/v1/hub/chat/completions` };
  const body = JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } });
  const create = { ...chat, body, url: `${base}/api/v1/hub/generations` };
  const loads = {
    "chats without": { ...chat, keys: without },
    "chats with budgets": { ...chat, keys: withBudgets },
    "generations without": { ...create, keys: without },
    "generations with budgets": { ...create, keys: withBudgets },
  };
  try {
    report(await interleaveLoads(loads, { rounds: ROUNDS, warmUpSeconds: 3 }));
  } finally {
    await upstream.stop();
  }
  checkBound("audit violations", (await runAudit(hub.db)).violations.length, "at most", 0);
}

type Name = `${"chats" | "generations"} ${"without" | "with budgets"}`;

function report({ medians, ratio, interval }: Rounds<Name>): void {
  for (const [name, measured] of medians) printLoad(name, measured);
  for (const work of ["chats", "generations"] as const) {
    const compared = ["perSecond", `${work} with budgets`, `${work} without`] as const;
    checkBound(`${work} a second, with three budgets / without`, ratio(...compared), "at least", 0.9);
    printLine(`    95 % interval ${interval(...compared).map((bound) => bound.toFixed(3)).join(" to ")}`); // prettier-ignore
  }
}

async function addBudgets(hub: Hub, account: number): Promise<void> {
  const keys = await hub.db.query<{ id: string }>("SELECT id FROM api_key WHERE account_id = $1", [account]);
  const scope = { keys: keys.map(({ id }) => id) };
  for (const window of WINDOWS)
    await hub.db.transaction((tx) =>
      createBudget(tx, contextOf(hub, account), { name: window, amount: 100_000, window, scope }),
    );
}
