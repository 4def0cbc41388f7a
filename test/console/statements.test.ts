import { expect, test } from "vitest";
import { z } from "zod";
import { insertManyWithHold } from "@/server/domain/generations/insert-with-hold";
import { createKey } from "@/server/domain/keys/create";
import { createEndpoint } from "@/server/domain/webhooks/create";
import { root } from "@/server/trpc/root";
import { countStatements } from "../count-statements";
import { draft } from "../draft";
import { testHub } from "../hub";
import { keepFile } from "../keep-file";
import { newPerson } from "./caller";

interface Procedure {
  _def: { type: "query" | "mutation"; inputs: unknown[] };
}
const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const take = countStatements(hub);
const isEnough = (input: unknown, given: object) => input instanceof z.ZodType && input.safeParse(given).success;
/** What fills a page: every question that names no single thing. */
const listings = Object.entries(root._def.procedures as unknown as Record<string, Procedure>)
  .filter(([, { _def }]) => _def.type === "query" && _def.inputs.every((input) => isEnough(input, {})))
  .map(([path]) => path);

const person = await newPerson(hub);
for (let count = 0; count < 3; count += 1) {
  await createKey(hub, person.account, { name: `key ${count}`, spend_limit: 1 });
  await createEndpoint(person.session, { url: "https://localhost:9/hook", events: ["generation.completed"] });
  await keepFile(hub, person.account, Buffer.from(`content ${count}`));
}
await insertManyWithHold(
  hub.db,
  Array.from({ length: 5 }, () => draft(person.account, 1n)),
);

test("the loop below has every list, and what it counts is counted", async () => {
  take();
  await person.console.keys.list();
  expect(take()).toHaveLength(1);
  expect(listings).toEqual(
    expect.arrayContaining(["keys.list", "files.list", "generations.list", "balance.statement"]),
  );
});

/** What looks over several domains asks each once. */
const several: Record<string, number> = { "overview.summary": 5 };

test.each(listings)("%s is one statement, however many rows there are", async (path) => {
  const [router, name] = path.split(".") as [string, string];
  const routers = person.console as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  take();
  await routers[router]![name]!({});
  const statements = take();
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(several[path] ?? 1);
});
