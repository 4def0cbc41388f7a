import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { estimateTokens } from "../../server/lib/estimate-tokens";
import { parseDecimal, toEuros } from "../../server/lib/money";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { seed, soakCount } from "../soak";
import { MODEL_YAML, openChatHost, userMessages } from "./host";
import { type Responder, completeWith, respondNormally } from "./upstream";

const host = await openChatHost();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub, { credit: 1 });
});

const INPUT = 1_000n;
const OUTPUT = 2_000n;
const chat = (body: Record<string, unknown>) => host.chat(customer.key, { messages: userMessages("hello"), ...body });
const limitSent = () => host.upstream.requests.at(-1)!.body.max_tokens;
const usageOf = (body: Record<string, unknown>) => body.usage as Record<string, number>;
async function holdOf(id: unknown): Promise<{ estimated_cost: number; billed_cost: number | null }> {
  return (await callApi(host, "GET", `/api/v1/hub/generations/${String(id)}`, { key: customer.key })).body as never;
}
const me = async () => (await callApi(host, "GET", "/api/v1/me", { key: customer.key })).body;
const price = async (input: unknown) =>
  (await callApi(host, "POST", "/api/v1/hub/models/talk/pricing", { key: customer.key, body: { input } })).body;

test("holds the estimate of the pricing route, and returns the rest", async () => {
  for (const input of [{ messages: userMessages("hello") }, { messages: userMessages("hello"), max_tokens: 5 }]) {
    const { body } = await chat(input);
    expect((await holdOf(body.id)).estimated_cost).toBe((await price(input)).estimated_cost);
  }
  const { balance, available } = await me();
  expect(available).toBe(balance);
  expect(balance).toBe(1 - 2 * 0.000015);
});

test("sends a limit of output tokens where there is none, and lowers one to the model's limit", async () => {
  await chat({});
  expect(limitSent()).toBe(1000);
  await chat({ max_tokens: null });
  expect(limitSent()).toBe(1000);
  await chat({ max_tokens: 9 });
  expect(limitSent()).toBe(9);
  await chat({ max_tokens: 1_000_000 });
  expect(limitSent()).toBe(1000);
  await chat({ max_completion_tokens: 1_000_000 });
  expect(limitSent()).toBe(1000);
});

test("sends the limit under the name that the route takes, whichever the customer has sent", async () => {
  const limitsOf = async (route: string, input: Record<string, unknown>) => {
    host.setModels(MODEL_YAML.replace("upstream_model: gpt-up", route));
    await chat(input);
    const { max_tokens, max_completion_tokens } = host.upstream.requests.at(-1)!.body;
    return { max_tokens, max_completion_tokens };
  };
  for (const route of ["upstream_model: gpt-5-mini", "upstream_model: mine, output_limit: max_completion_tokens"]) {
    expect(await limitsOf(route, {})).toEqual({ max_completion_tokens: 1000 });
    expect(await limitsOf(route, { max_tokens: 9, max_completion_tokens: null })).toEqual({ max_completion_tokens: 9 });
    expect(await limitsOf(route, { max_completion_tokens: 8, max_tokens: 9 })).toEqual({ max_completion_tokens: 8 });
  }
  for (const route of ["upstream_model: gpt-oss-120b", "upstream_model: o3, output_limit: max_tokens"]) {
    expect(await limitsOf(route, {})).toEqual({ max_tokens: 1000 });
    expect(await limitsOf(route, { max_tokens: 9 })).toEqual({ max_tokens: 9 });
    expect(await limitsOf(route, { max_completion_tokens: 8 })).toEqual({ max_tokens: 8 });
  }
  host.setModels(MODEL_YAML);
});

test("limits the output to what the balance covers", async () => {
  const { estimated_cost: prompt } = await price({ messages: userMessages("hello"), max_tokens: 1 });
  const poor = await newCustomer(host.hub, { credit: toEuros(parseDecimal(Number(prompt)) + 49n * OUTPUT) });
  expect((await host.chat(poor.key, { messages: userMessages("hello") })).status).toBe(200);
  expect(limitSent()).toBe(50);

  const short = await newCustomer(host.hub, { credit: toEuros(parseDecimal(Number(prompt)) + 49n * OUTPUT) });
  const rejected = await host.chat(short.key, { messages: userMessages("hello"), max_tokens: 51 });
  expect(rejected.status).toBe(402);
  expect(rejected.body.error).toMatchObject({
    code: "insufficient_credits",
    message: expect.stringContaining("max_tokens of up to 50") as string,
    metadata: {
      required: toEuros(parseDecimal(Number(prompt)) + 50n * OUTPUT),
      available: toEuros(parseDecimal(Number(prompt)) + 49n * OUTPUT),
      affordable_max_tokens: 50,
    },
  });
  expect((await host.chat(short.key, { messages: userMessages("hello"), max_tokens: 50 })).status).toBe(200);
});

test("rejects a prompt that the balance does not cover with 402 and no affordable token", async () => {
  const emptyCustomer = await newCustomer(host.hub, { credit: 0 });
  const limitSentFor = host.upstream.requests.length;
  const { status, body } = await host.chat(emptyCustomer.key, { messages: userMessages("hello") });
  expect(status).toBe(402);
  expect(body.error).toMatchObject({ metadata: { available: 0, affordable_max_tokens: 0 } });
  expect(host.upstream.requests.length).toBe(limitSentFor);
});

test("concurrent chats never hold more than the balance", async () => {
  const { estimated_cost: one } = await price({ messages: userMessages("hello"), max_tokens: 100 });
  const poor = await newCustomer(host.hub, { credit: toEuros(parseDecimal(Number(one)) * 3n) });
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  // No chat ends, and returns the rest of its hold, before all are accepted or rejected.
  const held: Responder = (response, seen) => void opened.then(() => respondNormally(response, seen));
  host.upstream.respondNext(held, held, held);
  let rejected = 0;
  const replies = Array.from({ length: 8 }, async () => {
    const { status } = await host.chat(poor.key, { messages: userMessages("hello"), max_tokens: 100 });
    if (status === 402) rejected += 1;
    return status;
  });
  await expect.poll(() => rejected).toBe(5);
  open();
  expect((await Promise.all(replies)).filter((status) => status === 200)).toHaveLength(3);
});

test.each<[string, unknown, number, number]>([
  ["no usage", undefined, -1, -1],
  ["usage that is null", null, -1, -1],
  ["usage that is a word", "much", -1, -1],
  ["a negative prompt", { prompt_tokens: -1, completion_tokens: 3 }, -1, 3],
  ["a negative answer", { prompt_tokens: 4, completion_tokens: -3 }, 4, -1],
  ["broken numbers", { prompt_tokens: 4.5, completion_tokens: "3" }, -1, -1],
  ["numbers beyond reason", { prompt_tokens: 1e300, completion_tokens: 2e9 }, -1, -1],
  ["nothing used, although there is text", { prompt_tokens: 0, completion_tokens: 0 }, -1, -1],
])("charges %s by the documented rule", async (_case, usage, input, output) => {
  host.upstream.respondNext(completeWith({ usage }));
  const { status, body } = await chat({ max_tokens: 600 });
  expect(status).toBe(200);
  const used = usageOf(body);
  const held = await holdOf(body.id);
  const counted = { prompt: 2 * 3 + estimateTokens("user hello"), answer: estimateTokens("You said: hello") };
  expect(used.prompt_tokens).toBe(input < 0 ? counted.prompt : input);
  expect(used.completion_tokens).toBe(output < 0 ? counted.answer : output);
  expect(used.total_tokens).toBe(used.prompt_tokens! + used.completion_tokens!);
  const cost = toEuros(BigInt(used.prompt_tokens!) * INPUT + BigInt(used.completion_tokens!) * OUTPUT);
  expect(used.cost).toBe(cost);
  expect(held.billed_cost).toBe(cost);
  expect(cost).toBeLessThanOrEqual(held.estimated_cost);
});

test("charges at most the hold, and reports usage above it to the operator", async () => {
  const { body } = await chat({ messages: userMessages("do:dear"), max_tokens: 5 });
  const { estimated_cost, billed_cost } = await holdOf(body.id);
  expect(billed_cost).toBe(estimated_cost);
  expect(usageOf(body).cost).toBe(estimated_cost);
  expect(usageOf(body).prompt_tokens).toBe(900_000_000);
  expect((await runAudit(host.hub.db)).excess).toBeGreaterThan(2_000);
});

test("for any reported usage 0 ≤ cost ≤ hold, and the ledger has exactly the sum of the returned costs", async () => {
  const richCustomer = await newCustomer(host.hub, { credit: 1000 });
  let returnedCosts = 0n;
  const number = fc.oneof(fc.integer({ min: -5, max: 5_000 }), fc.double(), fc.constantFrom(null, "7", [], 1e12));
  await fc.assert(
    fc.asyncProperty(number, number, fc.string({ maxLength: 50 }), async (prompt_tokens, completion_tokens, text) => {
      host.upstream.respondNext(completeWith({ usage: { prompt_tokens, completion_tokens, total_tokens: 3 } }));
      const { body, status } = await host.chat(richCustomer.key, { messages: userMessages(text), max_tokens: 700 });
      expect(status).toBe(200);
      const { cost } = usageOf(body);
      const [row] = await host.hub.db.query<{ billed_cost: bigint; estimated_cost: bigint }>(
        "SELECT billed_cost, estimated_cost FROM generation WHERE id = $1",
        [body.id],
      );
      expect(toEuros(row!.billed_cost)).toBe(cost);
      expect(row!.billed_cost >= 0n && row!.billed_cost <= row!.estimated_cost).toBe(true);
      returnedCosts += row!.billed_cost;
    }),
    { seed, numRuns: soakCount(20, 1_000) },
  );
  const [account] = await host.hub.db.query<{ balance: bigint; reserved: bigint }>(
    "SELECT balance, reserved FROM account WHERE id = $1",
    [richCustomer.account],
  );
  expect(account).toEqual({ balance: 1000n * 10n ** 9n - returnedCosts, reserved: 0n });
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

test("the spend limit of a key limits a chat as the balance does", async () => {
  const { estimated_cost: prompt } = await price({ messages: userMessages("hello"), max_tokens: 1 });
  const limit = toEuros(parseDecimal(Number(prompt)) + 49n * OUTPUT);
  const limited = await newCustomer(host.hub, { credit: 1, spendLimit: limit, spendLimitReset: "day" });
  const rejected = await host.chat(limited.key, { messages: userMessages("hello"), max_tokens: 51 });
  expect(rejected.status).toBe(402);
  expect(rejected.body.error).toMatchObject({
    code: "insufficient_credits",
    message: expect.stringMatching(
      /the spend limit of the API key "test" is .+ EUR a day, of which .+ are left; it resets at .+Z\. That covers max_tokens of up to 50\./,
    ) as string,
  });
  expect((await host.chat(limited.key, { messages: userMessages("hello") })).status).toBe(200);
  expect(limitSent()).toBe(50);
  const [row] = await host.hub.db.query("SELECT reserved, charged > 0 AS charged FROM key_spending WHERE key_id = $1", [
    limited.keyId,
  ]);
  expect(row).toEqual({ reserved: 0n, charged: true });
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
