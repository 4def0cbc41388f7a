import { beforeAll, expect, test } from "vitest";
import { POST } from "@/app/api/trpc/[trpc]/route";
import { runAudit } from "@/server/domain/audit/audit";
import { newId } from "@/server/lib/id";
import { shareHub } from "@/server/share-hub";
import { type Customer, newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { sessionCookie } from "../session";

const hub = await testHub({ BASE_URL: "https://hub.test" });
let customer: Customer;
beforeAll(async () => {
  shareHub(hub);
  customer = await newCustomer(hub);
});

interface Sent {
  idempotencyKey?: string;
  content?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Requests a chat of the playground as a stream. */
async function send({ idempotencyKey = newId(), content = "Hello", signal, headers }: Sent): Promise<Response> {
  const cookie = await sessionCookie(hub, customer.account);
  const json = { idempotencyKey, model: "sandbox-text", messages: [{ role: "user", content }] };
  const request = new Request("https://hub.test/api/trpc/playground.chat", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", cookie, ...headers },
    body: JSON.stringify({ json }),
    signal,
  });
  return POST(request);
}

interface Chunk {
  id: string;
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { completion_tokens: number; cost: number };
}

const readChunks = async (response: Response): Promise<Chunk[]> =>
  (await response.text())
    .split("\n\n")
    .flatMap((event) => (event.startsWith("data: {") ? [JSON.parse(event.slice(6)) as Chunk] : []));
const textOf = (chunks: Chunk[]) => chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
const statusOf = async (id: string) =>
  (
    await hub.db.query<{ status: string; billed_cost: bigint | null }>(
      "SELECT status, billed_cost FROM generation WHERE id = $1",
      [id],
    )
  )[0];

test("streams a chat whose last chunk has its cost, and replays it to the same key", async () => {
  const idempotencyKey = newId();
  const response = await send({ idempotencyKey });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const chunks = await readChunks(response);
  expect(chunks.length).toBeGreaterThan(3);
  expect(textOf(chunks)).toContain("You say: Hello");
  const { id, usage } = chunks.at(-1)!;
  expect(await statusOf(id)).toEqual({ status: "succeeded", billed_cost: BigInt(Math.round(usage!.cost * 1e9)) });
  const [attempt] = await hub.db.query<{ first_token_ms: number | null }>(
    "SELECT first_token_ms FROM attempt WHERE generation_id = $1",
    [id],
  );
  expect(attempt!.first_token_ms).toBeGreaterThanOrEqual(0);
  const again = await readChunks(await send({ idempotencyKey }));
  expect(again).toMatchObject([{ id, usage }]);
  expect(textOf(again)).toBe(textOf(chunks));
});

test("a stop ends the chat, whose text until then is charged and returned to the same key", async () => {
  const idempotencyKey = newId();
  const stop = new AbortController();
  const response = await send({ idempotencyKey, content: "[slow:10] Hello", signal: stop.signal });
  let text = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    // Ends the loop, and so the request.
    if (text.includes("say")) break;
  }
  expect(text).toContain("say");
  stop.abort();
  const { id } = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as Chunk;
  await expect.poll(async () => (await statusOf(id))?.status).toBe("canceled");
  const [chunk] = await readChunks(await send({ idempotencyKey, content: "[slow:10] Hello" }));
  expect(chunk).toMatchObject({ id, choices: [{ finish_reason: "length" }] });
  expect(textOf([chunk!])).toMatch(/^You say/);
  expect(chunk!.usage!.cost).toBeGreaterThan(0);
  expect(BigInt(Math.round(chunk!.usage!.cost * 1e9))).toBe((await statusOf(id))!.billed_cost);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("an error before the first event has the format of the console's calls", async () => {
  const rejected = async (sent: Sent) => {
    const response = await send(sent);
    const { error } = (await response.json()) as { error: { json: { data: { code: string; errors: object } } } };
    return { status: response.status, code: error.json.data.code, errors: Object.keys(error.json.data.errors) };
  };
  expect(await rejected({ headers: { cookie: "" } })).toEqual({ status: 401, code: "unauthorized", errors: [] });
  expect(await rejected({ content: 7 })).toMatchObject({ status: 400, code: "invalid_input" });
  expect(await rejected({ idempotencyKey: "short" })).toEqual({
    status: 400,
    code: "invalid_input",
    errors: ["idempotencyKey"],
  });
  const failed = await rejected({ content: "[fail]" });
  expect(failed).toMatchObject({ status: 503, code: "provider_error" });
});
