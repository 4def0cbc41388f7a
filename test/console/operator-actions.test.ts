import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { listCommands } from "../../server/cli/program";
import { contextOf } from "../../server/context";
import { setHubRole } from "../../server/domain/people/hub-role";
import { newId } from "../../server/lib/id";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newCustomer } from "../api/customer";
import { openCommandLine } from "../command-line";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

const { db, dataDir, run } = await openCommandLine();
const catalogue = path.join(dataDir, "models.yaml");
await writeFile(catalogue, "models: []\n");
const books = path.join(dataDir, "books.yaml");
await writeFile(books, "books: [{ id: partners }]\n");
const anna = ["--email", "anna@example.org"];

/** Every command with values that let it run, in an order in which each finds what it needs, and what it records. */
const commands: [command: string, values: string[], action: string | null][] = [
  ["account create", [...anna, "--password", "correct horse", "--credit", "5"], "account.create"],
  ["account password", [...anna, "--password", "another horse"], "person.set-password"],
  ["account suspend", anna, "account.suspend"],
  ["account suspend", anna, null],
  ["account resume", anna, "account.resume"],
  ["account close", [...anna, "--days", "3"], "account.close"],
  ["account close", anna, null],
  ["account keep", anna, "account.keep"],
  ["account keep", anna, null],
  ["credit grant", [...anna, "--amount", "1", "--reference", "r"], "credit.grant"],
  ["credit grant", [...anna, "--amount", "1", "--reference", "r"], null],
  ["payment record", [...anna, "--amount", "20", "--reference", "invoice-1"], "payment.record"],
  ["payment list", [], null],
  ["payment reconcile", [], null],
  ["key create", [...anna, "--name", "laptop"], "key.create"],
  ["export", [...anna, "--to", path.join(dataDir, "anna.zip"), "--reason", "ticket 7"], "account.export"],
  ["operator grant", [...anna, "--role", "auditor"], "operator.grant"],
  ["operator list", [], null],
  ["operator revoke", anna, "operator.revoke"],
  [
    "operator token create",
    ["--name", "backend", "--role", "operator", "--daily-credit", "9"],
    "operator-token.create",
  ],
  ["operator token list", [], null],
  ["operator token revoke", ["--name", "backend"], "operator-token.revoke"],
  ["person reset-factors", anna, null],
  ["person erase", ["--email", "leaver@example.org"], "person.erase"],
  ["worker-token create", ["--name", "gpu"], "worker-token.create"],
  ["worker-token list", [], null],
  ["worker-token revoke", ["--name", "gpu"], "worker-token.revoke"],
  ["share revoke", ["--link", `https://hub.example.org/s/${"a".repeat(43)}`], null],
  ["catalogue check", [catalogue], null],
  ["catalogue apply", [catalogue], "catalogue.apply"],
  ["catalogue show", [], null],
  ["sample list", [], null],
  ["book check", [books], null],
  ["book apply", [books], "book.apply"],
  ["book list", [], null],
  ["book show", [], null],
  ["book assign", [...anna, "--book", "partners"], "account.set-book"],
  ["book assign", [...anna, "--book", "partners"], null],
  ["voucher create", ["--amount", "5"], "voucher.create"],
  ["voucher list", [], null],
  ["tax supplies", ["--month", "2026-11"], null],
  ["tax lines", ["--month", "2026-11"], null],
  ["provider list", [], null],
  ["provider check", [], null],
  ["audit", [], null],
  ["audit", ["--full"], null],
  ["jobs", [], null],
  ["doctor", [], null],
  ["stats", ["--all", "--indexes"], null],
  ["secret re-encrypt", [], null],
];

/** Commands that other tests cover: they need a provider, a failed job, recipients of alerts, a voucher or a running hub. */
const elsewhere = [
  "payment refund",
  "reconcile",
  "voucher revoke",
  "sample add",
  "sample remove",
  "catalogue add",
  "catalogue sync",
  "provider add",
  "listen",
  "backup",
  "restore",
  "alert test",
];

const countActions = () =>
  db.query<{ action: string; operator: string }>(
    "SELECT action, operator FROM operator_action JOIN operator_action_text ON action_id = id ORDER BY id",
  );

test("the table has every command", async () => {
  const known = new Set([...commands.map(([command]) => command), ...elsewhere]);
  expect((await listCommands()).filter((command) => !known.has(command))).toEqual([]);
});

test("every command that changes something leaves exactly one row, and no other leaves any", async () => {
  await db.query("INSERT INTO person (email, created_at) VALUES ('leaver@example.org', now())");
  const expected: string[] = [];
  for (const [command, values, action] of commands) {
    await run(...command.split(" "), ...values);
    if (action) expected.push(action);
    const rows = await countActions();
    expect({ command, actions: rows.map(({ action }) => action) }).toEqual({ command, actions: expected });
    expect(rows.every(({ operator }) => operator.length > 0)).toBe(true);
  }
});

let paymentId: string;
let voucherId: string;
/** Every mutation of the operator's console with its input, and what it records. */
const mutations: [name: string, input: () => object | undefined, action: string][] = [
  ["accounts.suspend", () => ({ account: customer.account, suspended: true, reason: "Abuse" }), "account.suspend"],
  ["accounts.suspend", () => ({ account: customer.account, suspended: false, reason: "Solved" }), "account.resume"],
  ["accounts.setMember", () => ({ account: customer.account, member: true, reason: "Partner" }), "account.set-member"],
  ["accounts.setWeight", () => ({ account: customer.account, weight: 4, reason: "Plan" }), "account.set-weight"],
  [
    "accounts.credit",
    () => ({ account: customer.account, amount: "1", reference: newId(), note: "", reason: "Ticket 7" }),
    "credit.grant",
  ],
  [
    "payments.record",
    () => ({ email: customer.email, amount: "20", tax: "3.80", reference: "invoice-7", note: "", reason: "Invoice 7" }),
    "payment.record",
  ],
  ["payments.refund", () => ({ id: paymentId, amount: "5", left: 23.8, reason: "Paid twice" }), "payment.refund"],
  ["accounts.note", () => ({ account: customer.account, text: "Called them." }), "account.note"],
  ["catalogue.applyDraft", () => ({ source: "models: []\n", base: null, reason: "First" }), "catalogue.apply"],
  ["catalogue.rollBack", () => ({ id: 1, base: 1, reason: "Back" }), "catalogue.roll-back"],
  ["books.applyDraft", () => ({ source: "books: [{ id: partners }]\n", base: null, reason: "Partners" }), "book.apply"],
  [
    "accounts.setBook",
    () => ({ account: customer.account, book: "partners", starts: "now", reason: "Partner" }),
    "account.set-book",
  ],
  ["vouchers.create", () => ({ amount: "5", max_redemptions: "2", last_day: "", note: "" }), "voucher.create"],
  ["vouchers.revoke", () => ({ id: voucherId }), "voucher.revoke"],
  ["workers.createToken", () => ({ name: "gpu" }), "worker-token.create"],
  ["workers.revokeToken", () => ({ name: "gpu" }), "worker-token.revoke"],
  [
    "tokens.create",
    () => ({ name: "backend", role: "operator", days: 30, daily_credit: "100" }),
    "operator-token.create",
  ],
  ["tokens.revoke", () => ({ name: "backend" }), "operator-token.revoke"],
  ["announcement.set", () => ({ text: "Soon away", level: "info", hours: 1 }), "announcement.set"],
  ["announcement.clear", () => undefined, "announcement.clear"],
  ["state.audit", () => undefined, "audit.run"],
  [
    "accounts.close",
    () => ({ account: customer.account, balance: "refund", days: 14, reason: "They asked" }),
    "account.close",
  ],
  ["accounts.keep", () => ({ account: customer.account, reason: "They stay" }), "account.keep"],
  ["accounts.erasePerson", () => ({ email: "leaver@example.org", reason: "They asked" }), "person.erase"],
  ["views.start", () => ({ account: customer.account, reason: "Ticket 7" }), "view.start"],
];
/**
 * Mutations that change nothing, one that needs a failed job, which test/process/cli.test.ts retries, and one that needs a
 * price list, which test/catalogues/price-lists.test.ts applies. Those of samples are in test/console/samples.test.ts.
 */
const coveredElsewhere = [
  "books.check",
  "catalogue.check",
  "catalogue.prices.compare",
  "catalogue.prices.applyModels",
  "payments.lookUp",
  "providers.check",
  "samples.add",
  "samples.chooseForHome",
  "samples.remove",
  "state.retryJob",
  "state.testAlerts",
];

const hub = await testHub();
const customer = await newCustomer(hub);

test("the table has every mutation of the operator's console", () => {
  const procedures = Object.entries(root._def.procedures as unknown as Record<string, { _def: { type: string } }>);
  const all = procedures
    .filter(([name, { _def }]) => name.startsWith("admin.") && _def.type === "mutation")
    .map(([name]) => name.slice("admin.".length));
  const known = new Set([...mutations.map(([name]) => name), ...coveredElsewhere]);
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
});

test("every mutation leaves exactly one row, with who did it, from where and why", async () => {
  const operator = await newCustomer(hub);
  await setHubRole(hub, testOperator, operator.email, "operator");
  const { account, actor } = await ownerSession(hub, operator.account);
  const session = contextOf(hub, account, actor, "request-7");
  const caller = createCallerFactory(root)({ hub, session, address: "192.0.2.7" });
  await hub.db.query("INSERT INTO person (email, created_at) VALUES ('leaver@example.org', now())");
  const expected: string[] = [];
  for (const [name, input, action] of mutations) {
    const call = name.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], caller.admin);
    const result = await (call as (input?: object) => Promise<unknown>)(input());
    if (name === "payments.record") paymentId = (result as { id: string }).id;
    if (name === "vouchers.create") voucherId = (result as { id: string }).id;
    expected.push(action);
    const rows = await hub.db.query<{ action: string }>(
      `SELECT action, person_id, operator, address, request_id FROM operator_action
       JOIN operator_action_text ON action_id = id WHERE via = 'console' ORDER BY id`,
    );
    expect({ name, actions: rows.map(({ action }) => action) }).toEqual({ name, actions: expected });
    expect(rows.at(-1)).toMatchObject({
      person_id: actor.person.id,
      operator: operator.email,
      address: "192.0.2.7",
      request_id: "request-7",
    });
  }
});

test("the log can be neither changed nor emptied", async () => {
  for (const text of [
    "UPDATE operator_action SET action = 'x.y'",
    "DELETE FROM operator_action",
    "TRUNCATE operator_action CASCADE",
  ])
    await expect(db.query(text)).rejects.toThrow("append-only");
});
