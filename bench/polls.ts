import type { Hub } from "../server/context";
import { createCustomers, insertHistory } from "./accounts";
import { generateLoad, type Load, type Measured, medianOf, quantile } from "./load";
import { checkBound, printLoad, printTitle } from "./report";

const ROUNDS = 5;
const SECONDS = 3;
const ACCOUNTS = 200;
const PER_ACCOUNT = 120;

/** Measures what clients ask over and over, one generation and pages of them, beside `GET /me`. */
export async function benchPolls(hub: Hub, base: string): Promise<void> {
  printTitle(`Polls and lists, ${ROUNDS} rounds of ${SECONDS} s, ${ACCOUNTS} accounts, 64 connections`);
  const customers = await createCustomers(hub, "polls", ACCOUNTS);
  for (const { id } of customers) await insertHistory(hub, id, PER_ACCOUNT);
  await hub.db.query("ANALYZE generation");
  const api = `${base}/api/v1`;
  const list = `${api}/hub/generations`;
  const ids = await Promise.all(customers.map(({ id }) => findNewest(hub, id)));
  const paths = ids.map((id) => `/api/v1/hub/generations/${id}`);
  const [one] = customers;
  const etag = async (url: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${one!.key}` } })).headers.get("etag")!;
  const load = { connections: 64, seconds: SECONDS, keys: customers.map(({ key }) => key) };
  const mine = { ...load, keys: [one!.key] };
  const targets = {
    "GET /me": { ...load, url: `${api}/me` },
    "one generation": { ...load, url: list, paths },
    "one generation, not modified": {
      ...mine,
      url: `${list}/${ids[0]}`,
      headers: { "if-none-match": await etag(`${list}/${ids[0]}`) },
      status: 304,
    },
    "a page of ten": { ...load, url: `${list}?limit=10` },
    "a page of ten, not modified": {
      ...mine,
      url: `${list}?limit=10`,
      headers: { "if-none-match": await etag(`${list}?limit=10`) },
      status: 304,
    },
    "a page of a hundred": { ...load, url: `${list}?limit=100` },
  } satisfies Record<string, Load>;
  const rounds = new Map<string, Measured[]>(Object.keys(targets).map((name) => [name, []]));
  for (const target of Object.values(targets)) await generateLoad({ ...target, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, target] of Object.entries(targets)) rounds.get(name)!.push(await generateLoad(target));

  for (const [name, measured] of rounds) printLoad(name, medianOf(measured));
  const ratio = (name: keyof typeof targets, to: keyof typeof targets) =>
    quantile(
      rounds.get(name)!.map(({ perSecond }, round) => perSecond / rounds.get(to)![round]!.perSecond),
      0.5,
    );
  checkBound("requests a second, one generation / GET /me", ratio("one generation", "GET /me"), "at least", 0.5);
  checkBound("requests a second, a page of ten / GET /me", ratio("a page of ten", "GET /me"), "at least", 0.2);
  checkBound("time, a page of a hundred / a page of ten", ratio("a page of ten", "a page of a hundred"), "at most", 8);
  checkBound(
    "time, one generation that has not changed / in full",
    ratio("one generation", "one generation, not modified"),
    "at most",
    1.1,
  );
}

async function findNewest(hub: Hub, accountId: number): Promise<string> {
  const [row] = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [accountId],
  );
  return row!.id;
}
