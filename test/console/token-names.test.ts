import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { createOperatorToken } from "../../server/domain/operator-tokens/operator-token";
import { setHubRole } from "../../server/domain/people/hub-role";
import { createToken } from "../../server/domain/workers/worker";
import { newId } from "../../server/lib/id";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

const hub = await testHub();
const person = await newCustomer(hub);
await setHubRole(hub, testOperator, person.email, "operator");
const { account, actor } = await ownerSession(hub, person.account);
const { admin } = createCallerFactory(root)({
  hub,
  session: contextOf(hub, account, actor, "r"),
  address: "192.0.2.7",
});

const kinds = [
  {
    kind: "worker tokens",
    create: (name: string) => createToken(hub, testOperator, name),
    list: async () => (await admin.workers.list()).tokens,
    revoke: (name: string) => admin.workers.revokeToken({ name }),
    table: "worker_token",
  },
  {
    kind: "operator tokens",
    create: (name: string) =>
      createOperatorToken(hub, testOperator, { name, role: "auditor", expiresAt: null, dailyCredit: null }),
    list: () => admin.tokens.list(),
    revoke: (name: string) => admin.tokens.revoke({ name }),
    table: "operator_token",
  },
];

test.each(kinds)("$kind that a command makes are revoked in the console by the listed name", async (tokens) => {
  expect((await tokens.create(" gpu ")).record.name).toBe("gpu");
  const [{ name, revoked_at } = { name: "", revoked_at: "" }] = await tokens.list();
  expect({ name, revoked_at }).toEqual({ name: "gpu", revoked_at: null });
  await tokens.revoke(name);
  expect((await tokens.list())[0]?.revoked_at).toEqual(expect.any(String));
});

test.each(kinds)("$kind are revoked by exactly the stored name", async (tokens) => {
  const { record } = await tokens.create(newId());
  const stored = ` ${record.name} `;
  await hub.db.query(`UPDATE ${tokens.table} SET name = $2 WHERE id = $1`, [record.id, stored]);
  await expect(tokens.revoke(record.name)).rejects.toThrow("There is no active");
  await tokens.revoke(stored);
  expect((await tokens.list()).find(({ id }) => id === record.id)?.revoked_at).toEqual(expect.any(String));
});

test.each(kinds)("$kind have names of 1 to 100 characters", async (tokens) => {
  for (const name of ["", "  ", "x".repeat(101)])
    await expect(tokens.create(name)).rejects.toMatchObject({
      extras: { errors: { name: ["must have 1 to 100 characters"] } },
    });
  expect((await tokens.create(` ${"x".repeat(100)} `)).record.name).toHaveLength(100);
});
