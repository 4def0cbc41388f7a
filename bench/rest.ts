import type { Hub } from "../server/context";
import { insertManyWithHold } from "../server/domain/generations/insert-with-hold";
import { draft } from "../test/draft";
import { makeCustomers, writeHistory } from "./accounts";
import { generateLoad, measureLoad } from "./load";
import { checkBound, line, title } from "./report";

const body = JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse at dusk" } });

/** Measures what the edge adds to an empty handler, and what creating a generation adds to its own SQL. */
export async function benchRest(hub: Hub, base: string, nextEmpty: string): Promise<void> {
  const thousand = await makeCustomers(hub, "thousand", 1_000);
  const [one] = thousand;
  const api = `${base}/api/v1`;

  title("GET /me");
  await generateLoad({ url: `${base}/empty`, seconds: 2 });
  const empty = await generateLoad({ url: `${base}/empty`, connections: 64 });
  line("an empty handler on the same server", empty);
  const me = await generateLoad({ url: `${api}/me`, connections: 64, keys: thousand.map(({ key }) => key) });
  line("GET /me", me);
  checkBound("GET /me against the empty handler", me.perSecond / empty.perSecond, "at least", 0.4);

  title("POST /generations, the engine held still");
  let turn = 0;
  const sql = await measureLoad(() =>
    insertManyWithHold(hub.db, [draft(thousand[(turn += 1) % 1_000]!.id, 9_200_000n)]),
  );
  line("the same SQL alone, over a thousand accounts", sql);
  const emptyNext = await generateLoad({ url: nextEmpty, method: "POST", body });
  line("an empty Next route handler", emptyNext);
  const many = await generateLoad({
    url: `${api}/hub/generations`,
    method: "POST",
    body,
    keys: thousand.map(({ key }) => key),
  });
  line("POST /generations, over a thousand accounts", many);
  const single = await generateLoad({ url: `${api}/hub/generations`, method: "POST", body, keys: [one!.key] });
  line("POST /generations, one account", single);
  checkBound("a thousand accounts against the same SQL", many.perSecond / sql.perSecond, "at least", 0.4);
  checkBound(
    "a thousand accounts against the empty Next handler",
    many.perSecond / emptyNext.perSecond,
    "at least",
    1.5,
  );

  title("GET /generations");
  const [small, large] = await makeCustomers(hub, "history", 2);
  await writeHistory(hub, small!.id, 10);
  await writeHistory(hub, large!.id, 1_000_000);
  await hub.db.query("ANALYZE generation");
  for (const query of ["?limit=10", "?limit=10&exclude_llm=true"]) {
    const list = (key: string) => generateLoad({ url: `${api}/hub/generations${query}`, keys: [key] });
    await list(large!.key);
    const [ten, million] = [await list(small!.key), await list(large!.key)];
    line(`${query} at ten rows`, ten);
    line(`${query} at a million rows`, million);
    checkBound(`p50 of ${query} at a million rows against ten`, million.p50 / Math.max(ten.p50, 1), "at most", 1.3);
    checkBound(
      `time a page of ${query} at a million rows against ten`,
      ten.perSecond / million.perSecond,
      "at most",
      1.3,
    );
  }
}
