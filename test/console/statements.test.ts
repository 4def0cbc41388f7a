import { expect, test } from "vitest";
import { z } from "zod";
import { insertManyWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { createKey } from "@/server/domain/keys/create";
import { createEndpoint } from "@/server/domain/endpoints/create";
import { contextOf } from "@/server/context";
import { createCallerFactory } from "@/server/trpc/procedure";
import { root } from "@/server/trpc/root";
import { recordStatements } from "../record-statements";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { newConsoleUser } from "./console-user";

interface Procedure {
  _def: { type: "query" | "mutation"; inputs: unknown[] };
}
const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const takeStatements = recordStatements(hub);
const isEnough = (input: unknown, inputOf: object) => input instanceof z.ZodType && input.safeParse(inputOf).success;
/** All queries that list objects or fill a page. */
const listings = Object.entries(root._def.procedures as unknown as Record<string, Procedure>)
  .filter(([, { _def }]) => _def.type === "query" && _def.inputs.every((input) => isEnough(input, {})))
  .map(([path]) => path);

const user = await newConsoleUser(hub);
for (let count = 0; count < 3; count += 1) {
  await createKey(hub, user.account, { name: `key ${count}`, spend_limit: 1 });
  await createEndpoint(user.session, { url: "https://localhost:9/hook", events: ["generation.completed"] });
  await insertFile(hub, user.account, Buffer.from(`content ${count}`));
}
await insertManyWithHold(
  hub.db,
  Array.from({ length: 5 }, () => queuedGeneration(user.account, 1n)),
);

test("the loop below covers every list, and every statement is counted", async () => {
  takeStatements();
  await user.console.keys.list();
  expect(takeStatements()).toHaveLength(1);
  expect(listings).toEqual(
    expect.arrayContaining(["keys.list", "files.list", "generations.list", "balance.statement"]),
  );
});

/** Procedures that run a statement for each of several domains. */
const several: Record<string, number> = {
  "account.closing": 2,
  // One for the samples, and on the first call one for how long runs take.
  "models.list": 2,
  "overview.summary": 6,
  "generations.list": 2,
  "generations.recent": 2,
  "alerts.get": 2,
  "budgets.subjects": 2,
  "usage.forecast": 4,
  "members.list": 2,
  "payments.get": 2,
  // One for each kind of content that is due to be erased.
  "admin.state.get": 16,
  "admin.books.get": 2,
  "admin.catalogue.get": 2,
  "admin.providers.list": 3,
};

const { account, actor } = user.session;
const operator = { ...actor, person: { ...actor.person, hubRole: "operator" as const } };
const caller = createCallerFactory(root)({ hub, session: contextOf(hub, account, operator, "test"), address: null });

await hub.db.query("INSERT INTO catalogue_revision (source, applied_at) VALUES ('models: []', now())");

test.each(listings)("%s runs one statement, however many rows there are", async (path) => {
  const find = (at: unknown, part: string) => (at as Record<string, unknown>)[part];
  const call = path.split(".").reduce<unknown>(find, caller) as (input: object) => Promise<unknown>;
  takeStatements();
  await call({});
  const statements = takeStatements();
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(several[path] ?? 1);
});
