import { afterAll, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { getAccountById } from "../../server/domain/accounts";
import { runAudit } from "../../server/domain/audit/audit";
import { adoptDueBooks, assignBook } from "../../server/domain/books";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { creditAccount, listEntries, writeStatement } from "../../server/domain/ledger";
import { rollUpUsage } from "../../server/domain/usage";
import { parseDecimal } from "../../server/lib/money";
import { callAdmin, newProgram } from "../admin/program";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { testOperator } from "../operator";
import { applyTestBooks } from "./apply-books";

const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "20" });
const { hub } = host;
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const BOOKS = `
books:
  - { id: plain }
  - id: partners
    name: Partners
    models: ["sandbox-*"]
    multipliers:
      - { models: "sandbox-t*", multiplier: 0.5 }
      - { models: "*", multiplier: 1.333333 }
  - id: fixed
    models: [sandbox-image, sandbox-text]
    fixed:
      - model: sandbox-image
        pricing_tiers: [{ match: { resolution: 4k }, price_usd: 0.5 }, { match: {}, price_usd: 0.007 }]
      - model: sandbox-text
        llm: { input_cost_per_million: 1, output_cost_per_million: 3 }
  - id: volume
    multipliers: [{ models: sandbox-image, multiplier: 2 }]
    volume_discounts: [{ from: 0.05, discount: 0.1 }, { from: 0.5, discount: 0.125 }]
  - { id: small, models: [sandbox-image], running: 1, requests_per_minute: 5, tokens_per_minute: 100 }
  - { id: trial, trial_credit: 5 }
`;
const revision = await applyTestBooks(hub, BOOKS);
const assign = ({ account: id }: Customer, book: string | null, starts?: "next_month") =>
  assignBook(hub, testOperator, { id, book, starts });
async function newOn(book: string | null): Promise<Customer> {
  const customer = await newCustomer(hub, { credit: 100 });
  if (book !== null) await assign(customer, book);
  return customer;
}

const get = ({ key }: Customer, path: string) => callApi(host, "GET", `/api/v1/hub/${path}`, { key });
const price = async ({ key }: Customer, model = "sandbox-image", input: object = { prompt: "a pier" }) =>
  (await callApi(host, "POST", `/api/v1/hub/models/${model}/pricing`, { key, body: { input } })).body as {
    estimated_cost: number;
    quote: { id: string } | null;
  };
async function create({ key }: Customer, body: object = {}) {
  const request = { model: "sandbox-image", input: { prompt: "a pier" }, ...body };
  return callApi(host, "POST", "/api/v1/hub/generations", { key, body: request });
}
async function settle(id: string) {
  expect(await markRunning(hub, { generationId: id, runId: "run" })).toBe("running");
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded" });
}
const ctxOf = async ({ account }: Customer) =>
  contextOf(hub, await getAccountById(hub, account), { kind: "user" as const }, "test");
const statementOf = async (customer: Customer) => {
  let text = "";
  for await (const part of writeStatement(await ctxOf(customer), { kind: "charge" })) text += part;
  return text;
};

const trainerInput = { images: [`sha256:${"a".repeat(64)}`] };

test("an account sees, is quoted and pays the prices of its book alone", async () => {
  const [without, on] = [await newOn(null), await newOn("partners")];
  expect((await get(without, "models/sandbox-image")).body.pricing_tiers).toMatchObject([
    { price_usd: 0.01 },
    { price_usd: 0.02 },
    { price_usd: 0.04 },
  ]);
  const listed = (await get(on, "models")).body.data as { id: string; pricing_tiers: { price_usd: number }[] | null }[];
  expect(listed.find(({ id }) => id === "sandbox-image")!.pricing_tiers!.map(({ price_usd }) => price_usd)).toEqual([
    0.01333333, 0.02666666, 0.05333332,
  ]);
  expect(await price(without)).toMatchObject({ estimated_cost: 0.0092 });
  // 0.01 USD × 0.92 × 1.333333 = 0.0122666636, rounded up once.
  expect(await price(on)).toMatchObject({ estimated_cost: 0.012266664 });
  expect((await create(on)).body).toMatchObject({ estimated_cost: 0.012266664 });
  const [full, half] = [
    await price(without, "sandbox-trainer", trainerInput),
    await price(on, "sandbox-trainer", trainerInput),
  ];
  expect(half.estimated_cost).toBe(full.estimated_cost / 2);
});

test("a chat is held and charged by the book, cheaper or at fixed prices by class", async () => {
  const chat = async ({ key }: Customer) => {
    const body = { model: "sandbox-text", messages: [{ role: "user", content: "one two three" }], max_tokens: 50 };
    const reply = await callApi(host, "POST", "/api/v1/hub/chat/completions", { key, body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.usage as { cost: number; prompt_tokens: number; completion_tokens: number };
  };
  const [plain, half, fixed] = [await newOn(null), await newOn("partners"), await newOn("fixed")];
  const full = await chat(plain);
  expect((await chat(half)).cost).toBeCloseTo(full.cost / 2, 9);
  const own = await chat(fixed);
  expect(own.cost).toBeCloseTo((own.prompt_tokens * 1 + own.completion_tokens * 3) / 1e6, 9);
  expect((await get(fixed, "models/sandbox-text")).body).toMatchObject({ input_cost_per_million: 1 });
});

test("a fixed price replaces the catalogue's tiers", async () => {
  const customer = await newOn("fixed");
  expect(await price(customer)).toMatchObject({ estimated_cost: 0.00644 });
  const dear = { prompt: "a pier", resolution: "4k" };
  expect(await price(customer, "sandbox-image", dear)).toMatchObject({ estimated_cost: 0.46 });
});

test("models that a book does not sell look like unknown ones", async () => {
  const customer = await newOn("small");
  const unknown = await get(customer, "models/nothing");
  const hidden = await get(customer, "models/sandbox-text");
  expect([hidden.status, hidden.body.code, hidden.body.detail]).toEqual([404, "model_not_found", unknown.body.detail]);
  expect(((await get(customer, "models")).body.data as { id: string }[]).map(({ id }) => id)).toEqual([
    "sandbox-image",
  ]);
  expect((await create(customer, { model: "sandbox-trainer", input: trainerInput })).status).toBe(404);
});

const balanceOf = async ({ account }: Customer) => (await getAccountById(hub, account)).balance;

test("three books in one day are three prices, each explained on its line of the statement", async () => {
  const customer = await newOn(null);
  const books = [null, "partners", "fixed", "volume"];
  for (const book of books) {
    await assign(customer, book);
    await settle((await create(customer)).body.id as string);
  }
  const entries = await listEntries(await ctxOf(customer), { limit: 10, kind: "charge" });
  expect(entries.data.map(({ amount }) => amount).reverse()).toEqual([
    -9_200_000n,
    -12_266_664n,
    -6_440_000n,
    -18_400_000n,
  ]);
  const lines = (await statementOf(customer)).trim().split("\r\n").slice(1).reverse();
  expect(lines.map((line) => /,("[^"]*"|[^,]*)$/.exec(line)![1])).toEqual([
    "",
    `"0.01333333 USD per generation, 0.92 EUR per USD; book partners, revision ${revision}"`,
    `"0.007 USD per generation, 0.92 EUR per USD; book fixed, revision ${revision}; fixed price"`,
    `"0.02 USD per generation, 0.92 EUR per USD; book volume, revision ${revision}"`,
  ]);
});

test("a quote holds the price of the book that the account had", async () => {
  const [customer, other] = [await newOn("partners"), await newOn("partners")];
  const { quote } = await price(customer);
  await assign(customer, "volume");
  expect((await create(customer, { quote: quote!.id })).body).toMatchObject({ estimated_cost: 0.012266664 });
  expect((await create(customer)).body).toMatchObject({ estimated_cost: 0.0184 });
  expect(await create(other, { quote: quote!.id })).toMatchObject({
    status: 409,
    body: { estimated_cost: 0.012266664 },
  });
});

test("the discount is the one of the month's volume at the hold, and never changes later", async () => {
  const customer = await newOn("volume");
  const early = (await create(customer)).body.id as string;
  const dear = await create(customer, { input: { prompt: "a pier", resolution: "4k" } });
  await settle(dear.body.id as string);
  expect((await price(customer)).estimated_cost).toBe(0.01656);
  const late = await create(customer);
  await settle(early);
  await settle(late.body.id as string);
  const { data } = await listEntries(await ctxOf(customer), { limit: 3, kind: "charge" });
  expect(data.map(({ amount }) => amount)).toEqual([-16_560_000n, -18_400_000n, -73_600_000n]);
  expect((await statementOf(customer)).split("\r\n")[1]).toContain(
    `0.018 USD per generation, 0.92 EUR per USD; book volume, revision ${revision}; 10 % volume discount`,
  );
});

test("volume is the same before and after it was summed up", async () => {
  const customer = await newOn("volume");
  const volume = async () =>
    (await hub.db.query<{ v: bigint }>("SELECT account_month_volume($1, $2) AS v", [customer.account, hub.now()]))[0]!
      .v;
  await settle((await create(customer)).body.id as string);
  expect(await volume()).toBe(18_400_000n);
  await rollUpUsage(hub, 10_000);
  await settle((await create(customer)).body.id as string);
  expect(await volume()).toBe(36_800_000n);
  const nextMonth = new Date(Date.UTC(hub.now().getUTCFullYear(), hub.now().getUTCMonth() + 1, 1));
  const [next] = await hub.db.query<{ v: bigint }>("SELECT account_month_volume($1, $2) AS v", [
    customer.account,
    nextMonth,
  ]);
  expect(next!.v).toBe(0n);
});

test("a book for the next month begins with it", async () => {
  const customer = await newOn("partners");
  await assign(customer, "small", "next_month");
  expect((await price(customer)).estimated_cost).toBe(0.012266664);
  const row = async () =>
    (await hub.db.query("SELECT book, next_book, max_running FROM account WHERE id = $1", [customer.account]))[0];
  await adoptDueBooks(hub);
  expect(await row()).toEqual({ book: "partners", next_book: "small", max_running: null });
  await hub.db.query("UPDATE account SET next_book_at = $2 WHERE id = $1", [customer.account, hub.now()]);
  expect((await price(customer)).estimated_cost).toBe(0.0092);
  await adoptDueBooks(hub);
  expect(await row()).toEqual({ book: "small", next_book: null, max_running: 1 });
});

test("an account runs and asks no more than its book lets it", async () => {
  const customer = await newOn("small");
  const ids = [(await create(customer)).body.id, (await create(customer)).body.id] as string[];
  expect(await markRunning(hub, { generationId: ids[0]!, runId: "run" })).toBe("running");
  expect(await markRunning(hub, { generationId: ids[1]!, runId: "run" })).toBe("no_slot");
  await finishGeneration(hub, { id: ids[0]!, from: ["running"], to: "succeeded" });
  expect(await markRunning(hub, { generationId: ids[1]!, runId: "run" })).toBe("running");
  for (let count = 0; count < 3; count += 1) expect((await get(customer, "models")).status).toBe(200);
  const rejected = await get(customer, "models");
  expect([rejected.status, rejected.headers.get("RateLimit-Policy")]).toEqual([429, '"requests";q=5;w=60']);
});

test("a book's tokens a minute are those of all keys of the account", async () => {
  await applyTestBooks(hub, `${BOOKS}  - { id: tokens, tokens_per_minute: 60 }\n`);
  const customer = await newOn("tokens");
  const chat = (max_tokens = 40, content = "hello") =>
    callApi(host, "POST", "/api/v1/hub/chat/completions", {
      key: customer.key,
      body: { model: "sandbox-text", messages: [{ role: "user", content }], max_tokens },
    });
  const replies = await Promise.all([chat(), chat()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429]);
  const rejected = await Promise.all([chat(60), chat(1, "word ".repeat(100))]);
  for (const { body } of rejected) expect(JSON.stringify(body)).toContain("this account may use");
});

test("a trial credit is given once for an account", async () => {
  const customer = await newCustomer(hub, { credit: 0 });
  for (const book of ["trial", "plain", "trial"]) await assign(customer, book);
  expect(await balanceOf(customer)).toBe(parseDecimal(5));
  const signedUp = await newCustomer(hub, { credit: 0 });
  await creditAccount(hub, signedUp.account, { amount: parseDecimal(1), reference: `sign-up:${signedUp.account}` });
  await Promise.all(["trial", "plain", "trial"].map((book) => assign(signedUp, book)));
  expect(await balanceOf(signedUp)).toBe(parseDecimal(1));
});

test("a book that accounts are on cannot be removed, and an unknown one not be assigned", async () => {
  const customer = await newOn("partners");
  await expect(applyTestBooks(hub, "books: [{ id: plain }]")).rejects.toThrow(
    /has no partners, which .* accounts have/,
  );
  await expect(assign(customer, "nothing")).rejects.toThrow("is not a price book");
  expect((await price(customer)).estimated_cost).toBe(0.012266664);
});

test("a process that was not notified reads a book that it does not know", async () => {
  const customer = await newOn("partners");
  hub.books = new Map();
  expect((await price(customer)).estimated_cost).toBe(0.012266664);
});

test("the audit finds prices that the frozen revision does not have", async () => {
  const customer = await newOn("volume");
  const id = (await create(customer)).body.id as string;
  const violations = async (change: string) => {
    await hub.db.query(`UPDATE generation SET price = ${change} WHERE id = $1`, [id]);
    return (await runAudit(hub.db)).violations.filter(({ check }) => check.startsWith("a price is")).length;
  };
  const [{ price: frozen }] = (await hub.db.query<{ price: unknown }>("SELECT price FROM generation WHERE id = $1", [
    id,
  ])) as [{ price: object }];
  for (const change of [
    `jsonb_set(price, '{book,multiplier}', '1.9')`,
    `jsonb_set(price, '{book,discount}', '0.5')`,
    `jsonb_set(price, '{book,id}', '"partners"')`,
    `jsonb_set(price, '{book,revision}', '2000000000')`,
    `price #- '{book,multiplier}'`,
    `jsonb_set(price, '{book,fixed}', 'true')`,
  ]) {
    expect(await violations(change), change).toBe(1);
    await hub.db.query("UPDATE generation SET price = $2 WHERE id = $1", [id, JSON.stringify(frozen)]);
  }
  expect(await violations("price")).toBe(0);
});

test("a program puts an account on a book, within its daily credit limit", async () => {
  const program = await newProgram(hub, { dailyCredit: 7 });
  const patch = ({ account }: Customer, body: object) =>
    callAdmin(host, program, "PATCH", `accounts/${account}`, { body });
  const [one, other] = [await newCustomer(hub, { credit: 0 }), await newCustomer(hub, { credit: 0 })];
  expect((await patch(one, { book: "trial" })).body).toMatchObject({ book: "trial", next_book: null, balance: 5 });
  expect((await patch(other, { book: "trial" })).status).toBe(402);
  expect((await patch(one, { book: "small", book_starts: "next_month" })).body).toMatchObject({
    book: "trial",
    next_book: { id: "small", starts_at: expect.stringMatching(/-01T00:00:00.000Z$/) as string },
  });
  expect((await patch(one, { book: null })).body).toMatchObject({ book: null, next_book: null });
  expect((await patch(one, { book: "nothing" })).status).toBe(400);
  const reply = await callAdmin(host, program, "GET", "books");
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const listed = reply.body.books as { id: string; accounts: number }[];
  expect(listed.find(({ id }) => id === "partners")!.accounts).toBeGreaterThan(0);
});
