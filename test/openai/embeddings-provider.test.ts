import { buffer } from "node:stream/consumers";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { serveRequests } from "../serve-requests";
import { openImpatientClient } from "./impatient-client";
import { offerEmbeddingModel } from "./offer-embedding-model";

const host = await openOwnHost();
const received: Record<string, unknown>[] = [];
let answer: (body: Record<string, unknown>) => { status: number; body: unknown; opened?: Promise<void> };
const upstream = await serveRequests((request, response) => {
  void buffer(request).then(async (bytes) => {
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    received.push({ path: request.url, authorization: request.headers.authorization, ...body });
    const reply = answer(body);
    await reply.opened;
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
  });
});

offerEmbeddingModel(host.hub, upstream);

const base64 = (numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const customer = await newCustomer(host.hub);
const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: customer.key, maxRetries: 0 });
const bills = async () =>
  (
    await host.hub.db.query<{ billed_cost: bigint }>(
      "SELECT billed_cost FROM generation WHERE account_id = $1 ORDER BY id",
      [customer.account],
    )
  ).map(({ billed_cost }) => billed_cost);

test("vectors come from a route of kind openai, in base64 or as numbers, in the order of the inputs", async () => {
  answer = () => ({
    status: 200,
    body: {
      data: [
        { index: 1, embedding: [0.5, 1] },
        { index: 0, embedding: base64([0.25, 2]) },
      ],
      usage: { prompt_tokens: 7 },
    },
  });
  const { data, usage } = await client.embeddings.create({ model: "embed", input: ["a", "b"], dimensions: 2 });
  expect(data.map(({ embedding }) => [...embedding])).toEqual([
    [0.25, 2],
    [0.5, 1],
  ]);
  expect(usage.prompt_tokens).toBe(7);
  expect(received.at(-1)).toEqual({
    path: "/v1/embeddings",
    authorization: "Bearer sk-up-0123456789",
    model: "text-up",
    input: ["a", "b"],
    dimensions: 2,
    encoding_format: "base64",
  });
  expect(await bills()).toEqual([7_000n]);
});

test("vectors in a response with 201 are charged", async () => {
  answer = () => ({ status: 201, body: { data: [{ embedding: base64([1]) }], usage: { prompt_tokens: 3 } } });
  expect((await client.embeddings.create({ model: "embed", input: "a" })).data).toHaveLength(1);
  expect((await bills()).at(-1)).toBe(3_000n);
});

test("a count of zero tokens, which no text has, is charged as a missing one: by the hold", async () => {
  answer = () => ({ status: 200, body: { data: [{ embedding: base64([1]) }] } });
  const { usage: unreported } = await client.embeddings.create({ model: "embed", input: "a" });
  answer = () => ({ status: 200, body: { data: [{ embedding: base64([1]) }], usage: { prompt_tokens: 0 } } });
  const { usage } = await client.embeddings.create({ model: "embed", input: "a" });
  const held = await host.hub.db.query<{ estimated_cost: bigint }>(
    "SELECT estimated_cost FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [customer.account],
  );
  expect(held[0]!.estimated_cost).toBeGreaterThan(0n);
  expect(usage).toEqual(unreported);
  expect((await bills()).slice(-2)).toEqual([held[0]!.estimated_cost, held[0]!.estimated_cost]);
});

test.each([
  ["another number of vectors", { data: [] }],
  ["vectors of different lengths", { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
  ["something else", { choices: [] }],
])("%s is a failure that costs nothing", async (_name, body) => {
  answer = () => ({ status: 200, body });
  await expect(client.embeddings.create({ model: "embed", input: ["a", "b"] })).rejects.toMatchObject({ status: 503 });
  expect((await bills()).at(-1)).toBe(0n);
});

test("the retries of the SDK for a call that times out make one charge", async () => {
  const before = received.length;
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  answer = () => ({
    status: 200,
    opened,
    body: { data: [{ embedding: base64([1]) }], usage: { prompt_tokens: 1 } },
  });
  const isReceived = () => expect.poll(() => received.length).toBe(before + 1);
  const impatient = openImpatientClient({ baseURL: `${host.url}/v1`, apiKey: customer.key }, isReceived, open);
  expect((await impatient.embeddings.create({ model: "embed", input: "once" })).data).toHaveLength(1);
  expect(received.length - before).toBe(1);
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
