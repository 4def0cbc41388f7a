import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeEach, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { createBudget } from "../../server/domain/budgets/change-budget";
import type { BudgetRequest } from "../../server/domain/budgets/input";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { newConsoleUser } from "../console/console-user";
import { CHAT, GENERATIONS, messages, openLabelHost, painting } from "../labels/label-host";
import { connectClient } from "../mcp/clients";

const { host, postAs } = await openLabelHost();
const { hub, url } = host;
const BLUE = { "x-hub-metadata": "team=blue" };

const create = ({ account, email }: Pick<Customer, "account" | "email">, request: Partial<BudgetRequest> = {}) => {
  const ctx = contextOf(
    hub,
    { id: account, email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" as const },
    "test",
  );
  return hub.db.transaction((tx) =>
    createBudget(tx, ctx, {
      name: "Team blue",
      amount: 0.000_000_001,
      window: "week",
      scope: { metadata: { team: "blue" } },
      ...request,
    }),
  );
};

let customer: Customer;
let budget: { id: string; name: string; resets_at: string };
beforeEach(async () => {
  customer = await newCustomer(hub);
  const { id, name } = await create(customer);
  const now = hub.now();
  const monday = now.getUTCDate() + 7 - ((now.getUTCDay() + 6) % 7);
  budget = { id, name, resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), monday)).toISOString() };
});
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const says = () =>
  `the budget "Team blue" is 1e-9 EUR a week, of which 1e-9 EUR are left; it resets at ${budget.resets_at}`;
const request = { key: "", headers: BLUE };

test("a generation and a chat are rejected with the budget, and those without its pairs are not", async () => {
  for (const [path, body] of [
    [GENERATIONS, painting],
    [CHAT, { model: "sandbox-text", messages }],
  ] as const) {
    const reply = await callApi(host, "POST", path, { ...request, key: customer.key, body });
    expect(reply.status).toBe(402);
    const detail = expect.stringContaining(says()) as string;
    expect(reply.body).toMatchObject(
      path === CHAT
        ? { error: { code: "insufficient_credits", message: detail, metadata: { budget } } }
        : { code: "insufficient_credits", detail, budget, available: 1e-9 },
    );
    expect((await callApi(host, "POST", path, { key: customer.key, body })).status).toBeLessThan(300);
  }
});

test.each([
  ["/v1/chat/completions", { model: "sandbox-text", messages, stream: true }, 402],
  ["/v1/responses", { model: "sandbox-text", input: "hello" }, 429],
  ["/v1/images/generations", { model: "sandbox-image", prompt: "a pier" }, 402],
  ["/v1/embeddings", { model: "sandbox-embedding", input: "a pier" }, 402],
  ["/v1/videos", { model: "sandbox-video", prompt: "a pier" }, 402],
])("%s is rejected with the budget", async (path, body, status) => {
  const reply = await postAs(customer, path, body, BLUE);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toMatchObject({
    error: { message: expect.stringContaining(says()) as string, metadata: { budget } },
  });
});

test("SDKs of OpenAI and Anthropic read it", async () => {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0, defaultHeaders: BLUE });
  await expect(openai.chat.completions.create({ model: "sandbox-text", messages })).rejects.toMatchObject({
    status: 402,
    error: { metadata: { budget } },
  });
  const anthropic = new Anthropic({ baseURL: url, apiKey: customer.key, maxRetries: 0, defaultHeaders: BLUE });
  await expect(anthropic.messages.create({ model: "sandbox-text", max_tokens: 50, messages })).rejects.toMatchObject({
    status: 402,
    error: { error: { type: "billing_error", budget } },
  });
});

test("a tool of MCP is rejected with the budget", async () => {
  const client = await connectClient("v2", url, customer.key);
  const { isError, text, error } = await client.call("generate", { ...painting, metadata: { team: "blue" } });
  expect(isError).toBe(true);
  expect(text).toContain(says());
  expect(error).toMatchObject({ code: "insufficient_credits", budget });
});

test("the console's playground is rejected by a member's budget, also for chats", async () => {
  const { console, account, email } = await newConsoleUser(hub);
  const { id: member } = (
    await hub.db.query<{ id: number }>("SELECT person_id AS id FROM membership WHERE account_id = $1", [account])
  )[0]!;
  const { id } = await create({ account, email }, { scope: { member } });
  const extras = { budget: { id, name: "Team blue" } };
  await expect(console.playground.run({ idempotencyKey: "0123456789abcdef", ...painting })).rejects.toMatchObject({
    code: "PAYMENT_REQUIRED",
    cause: { extras },
  });
  await expect(
    console.playground.chat({ idempotencyKey: "0123456789abcdeg", model: "sandbox-text", messages }),
  ).rejects.toMatchObject({ code: "PAYMENT_REQUIRED", cause: { extras } });
});

test("the log of requests names the budget", async () => {
  await callApi(host, "POST", GENERATIONS, { ...request, key: customer.key, body: painting });
  await hub.services.rejectionLog.flush();
  const rows = await hub.db.query("SELECT code, message, budget_id FROM rejected_request WHERE account_id = $1", [
    customer.account,
  ]);
  expect(rows).toEqual([
    { code: "insufficient_credits", message: expect.stringContaining(says()) as string, budget_id: budget.id },
  ]);
});
