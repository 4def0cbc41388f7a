import { insertManyWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { reservePort } from "../test/reserve-port";
import { queuedGeneration } from "../test/generation-fixture";
import { createCustomers, insertHistory } from "./accounts";
import type { Bench } from "./bench";
import { generateLoad, measureLoad } from "./load";
import { startEmptyNext } from "./next-empty";
import { checkBound, printLoad, printTitle } from "./report";

const body = JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } });

/** Measures what the edge adds to an empty handler, and what creating a generation adds to its own SQL. */
export async function benchRest({ hub, base }: Bench): Promise<void> {
  const thousand = await createCustomers(hub, "thousand", 1_000);
  const keys = thousand.map(({ key }) => key);
  const api = `${base}/api/v1`;

  printTitle("GET /me");
  await generateLoad({ url: `${base}/empty`, seconds: 2 });
  const empty = await generateLoad({ url: `${base}/empty`, connections: 64 });
  printLoad("an empty handler on the same server", empty);
  const me = await generateLoad({ url: `${api}/me`, connections: 64, keys });
  printLoad("GET /me", me);
  checkBound("requests a second, GET /me / empty handler", me.perSecond / empty.perSecond, "at least", 0.4);

  printTitle("POST /generations without a job engine");
  let count = 0;
  const sql = await measureLoad(() =>
    insertManyWithHold(hub.db, [queuedGeneration(thousand[(count += 1) % 1_000]!.id, 9_200_000n)]),
  );
  printLoad("the same SQL alone, a thousand accounts", sql);
  const next = await startEmptyNext(await reservePort());
  const emptyNext = await generateLoad({ url: next.url, method: "POST", body }).finally(next.stop);
  printLoad("an empty Next route handler", emptyNext);
  const create = (callers: string[]) =>
    generateLoad({ url: `${api}/hub/generations`, method: "POST", body, keys: callers });
  const many = await create(keys);
  printLoad("POST /generations, a thousand accounts", many);
  printLoad("POST /generations, one account", await create(keys.slice(0, 1)));
  checkBound("requests a second, a thousand accounts / same SQL", many.perSecond / sql.perSecond, "at least", 0.4);
  const beyondNext = many.perSecond / emptyNext.perSecond;
  checkBound("requests a second, a thousand accounts / empty Next handler", beyondNext, "at least", 1.5);

  printTitle("GET /generations");
  const [small, large] = await createCustomers(hub, "history", 2);
  await insertHistory(hub, small!.id, 10);
  await insertHistory(hub, large!.id, 1_000_000);
  await hub.db.query("ANALYZE generation");
  for (const query of ["?limit=10", "?limit=10&exclude_llm=true"]) {
    const list = (key: string) => generateLoad({ url: `${api}/hub/generations${query}`, keys: [key] });
    await list(large!.key);
    const [ten, million] = [await list(small!.key), await list(large!.key)];
    printLoad(`${query} with ten rows`, ten);
    printLoad(`${query} with a million rows`, million);
    checkBound(`p50 of ${query}, a million rows / ten rows`, million.p50 / Math.max(ten.p50, 1), "at most", 1.3);
    checkBound(`time of ${query}, a million rows / ten rows`, ten.perSecond / million.perSecond, "at most", 1.3);
  }
}
