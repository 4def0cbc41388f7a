import type { Hub } from "../server/domain/hub";
import { createCustomers, insertHistory } from "./accounts";
import type { Bench } from "./bench";
import { interleaveLoads } from "./load";
import { checkBound, printLoad, printTitle } from "./report";

const ROUNDS = 5;
const SECONDS = 3;
const ACCOUNTS = 200;
const PER_ACCOUNT = 120;

/** Measures what clients poll, a single generation and pages of generations, beside `GET /me`. */
export async function benchPolls({ hub, base }: Bench): Promise<void> {
  printTitle(`Polls and lists, ${ROUNDS} rounds of ${SECONDS} s, ${ACCOUNTS} accounts, 64 connections`);
  const customers = await createCustomers(hub, "polls", ACCOUNTS);
  for (const { id } of customers) await insertHistory(hub, id, PER_ACCOUNT);
  await hub.db.query("ANALYZE generation");
  const list = `${base}/api/v1/hub/generations`;
  const paths = await Promise.all(
    customers.map(async ({ id }) => `/api/v1/hub/generations/${await findNewest(hub, id)}`),
  );
  const keys = customers.map(({ key }) => key);
  const load = { connections: 64, seconds: SECONDS, keys };
  const notModified = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${keys[0]}` } });
    const headers = { "if-none-match": response.headers.get("etag")! };
    return { ...load, url, keys: keys.slice(0, 1), headers, status: 304 };
  };
  const { medians, ratio } = await interleaveLoads(
    {
      "GET /me": { ...load, url: `${base}/api/v1/me` },
      "one generation": { ...load, url: list, paths },
      "one generation, not modified": await notModified(base + paths[0]),
      "a page of ten": { ...load, url: `${list}?limit=10` },
      "a page of ten, not modified": await notModified(`${list}?limit=10`),
      "a page of a hundred": { ...load, url: `${list}?limit=100` },
    },
    { rounds: ROUNDS, warmUpSeconds: 1 },
  );
  for (const [name, measured] of medians) printLoad(name, measured);
  const one = ratio("perSecond", "one generation", "GET /me");
  const page = ratio("perSecond", "a page of ten", "GET /me");
  const longPage = ratio("perSecond", "a page of ten", "a page of a hundred");
  const unchanged = ratio("perSecond", "one generation", "one generation, not modified");
  checkBound("requests a second, one generation / GET /me", one, "at least", 0.5);
  checkBound("requests a second, a page of ten / GET /me", page, "at least", 0.2);
  checkBound("time, a page of a hundred / a page of ten", longPage, "at most", 8);
  checkBound("time, one generation that has not changed / in full", unchanged, "at most", 1.1);
}

async function findNewest(hub: Hub, accountId: number): Promise<string> {
  const [row] = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [accountId],
  );
  return row!.id;
}
