import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { isSoak } from "../soak";
import { connectClient, type Content, type McpClient, type ToolAnswer, versions } from "./clients";

const host = await openRunningHost();
const names = [
  "list_models",
  "describe_model",
  "estimate",
  "generate",
  "get_generation",
  "cancel_generation",
  "upload_file",
  "account",
];
const model = "sandbox-image";
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const rowsOf = ({ account }: Customer) =>
  host.hub.db.query<{ id: string; status: string }>("SELECT id, status FROM generation WHERE account_id = $1", [
    account,
  ]);
const chargesOf = ({ account }: Customer) =>
  host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [account]);
const links = (content: Content[]) => content.filter(({ type }) => type === "resource_link");

describe.each(versions)("the official client %s", (version) => {
  // What the tools do is the same for both.
  const isWhole = isSoak || version === "v2";
  let customer: Customer;
  let client: McpClient;
  beforeEach(async () => {
    customer = await newCustomer(host.hub);
    client = await connectClient(version, host.url, customer.key);
  });

  test("lists every tool with schemas and annotations", async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: "object" });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
      expect(tool.annotations).toHaveProperty("readOnlyHint");
    }
  });

  test("finds a model, prices it, generates, and reads the result", async () => {
    const { output: list } = await client.call("list_models", { modality: "image", query: "sandbox" });
    expect((list.models as { id: string }[]).map(({ id }) => id)).toContain(model);
    const { output: described } = await client.call("describe_model", { id: model });
    expect(described).toMatchObject({ id: model, example: { model, input: { prompt: expect.any(String) as string } } });
    const request = described.example as { model: string; input: Record<string, unknown> };
    const { output: estimate } = await client.call("estimate", request);
    expect(estimate).toMatchObject({ is_affordable: true, remaining: 10 });
    await client.listTools();
    const { output, content } = await client.call("generate", { ...request, inline_images: true });
    expect(output).toMatchObject({ status: "succeeded", billed_cost: estimate.estimated_cost, error: null });
    const [link] = links(content);
    const opened = await fetch(link!.uri!.replace(host.hub.env.BASE_URL, host.url));
    expect([opened.status, opened.headers.get("content-type")]).toEqual([200, link!.mimeType]);
    expect(content.find(({ type }) => type === "image")!.data!.length).toBeGreaterThan(100);
    const { output: again } = await client.call("get_generation", { id: String(output.id).toUpperCase() });
    expect(again).toMatchObject({ id: output.id, status: "succeeded" });
    const { output: account } = await client.call("account");
    expect(account).toMatchObject({ balance: 10 - Number(output.billed_cost), key: { name: "test" } });
  });

  test("goes on after the wait, and reads the generation later", async () => {
    const { output } = await client.call("generate", { model, input: { prompt: "[slow:2]" }, wait_seconds: 0 });
    expect(output).toMatchObject({ billed_cost: null, next: expect.stringContaining("get_generation") as string });
    const { output: ended } = await client.call("get_generation", { id: output.id, wait_seconds: 20 });
    expect(ended).toMatchObject({ id: output.id, status: "succeeded" });
  });

  test.runIf(isWhole)("uploads a file, which is then an input; uploads what an input misses", async () => {
    const { output: made } = await client.call("generate", { model, input: { prompt: "a" }, inline_images: true });
    const { content } = await client.call("get_generation", { id: made.id, inline_images: true });
    const picture = content.find(({ type }) => type === "image")!.data!;
    const { output: file } = await client.call("upload_file", { base64: picture, name: "a.png" });
    expect(file).toMatchObject({ reference: expect.stringMatching(/^sha256:/) as string, name: "a.png" });
    const input = { prompt: "b", image_input: [file.reference] };
    expect((await client.call("generate", { model, input })).output).toMatchObject({ status: "succeeded" });

    const missing = { prompt: "c", image_input: [`sha256:${"0".repeat(64)}`] };
    const { output: waiting } = await client.call("generate", { model, input: missing });
    expect(waiting).toMatchObject({
      status: "awaiting_supply",
      next: expect.stringContaining("upload_file") as string,
    });
    const { output: canceled } = await client.call("cancel_generation", { id: waiting.id });
    expect(canceled).toMatchObject({ status: "canceled", billed_cost: null });
  });

  test("gets errors with the API's code and what to do next", async () => {
    const answers = await Promise.all([
      client.call("describe_model", { id: "nothing" }),
      client.call("get_generation", { id: "nothing" }),
      client.call("generate", { model, input: {} }),
      client.call("generate", { model, input: { prompt: "a" }, wait_seconds: 61 }),
      client.call("upload_file", { base64: "!" }),
      client.call("upload_file", {}),
      client.call("upload_file", { url: "http://127.0.0.1:1/a.png" }),
      client.call("list_models", { limit: 0 }),
    ]);
    const codes = ["model_not_found", "generation_not_found", ...Array.from({ length: 6 }, () => "invalid_input")];
    expect(answers.map(({ error }) => error.code)).toEqual(codes);
    for (const { isError, text } of answers) {
      expect(isError).toBe(true);
      expect(text).toMatch(/^\w+: .+\n(?:.+\n)*Next: /);
    }
    expect(await rowsOf(customer)).toEqual([]);
  });

  test.runIf(isWhole)("stores base64 of up to 1 MiB, and not a byte more", async () => {
    const upload = (size: number) => client.call("upload_file", { base64: Buffer.alloc(size, "a").toString("base64") });
    expect((await upload(1024 * 1024)).output).toMatchObject({ size: 1024 * 1024 });
    for (const size of [1024 * 1024 + 1, 1024 * 1024 + 3])
      expect((await upload(size)).error).toMatchObject({ code: "payload_too_large", status: 413 });
  });

  test.runIf(isWhole)("says what went wrong with a generation that failed, which costs nothing", async () => {
    const { output } = await client.call("generate", { model, input: { prompt: "[fail]" } });
    expect(output).toMatchObject({ status: "failed", billed_cost: 0, next: expect.any(String) as string });
  });

  test.runIf(isWhole)("gets the same generation for the same idempotency_key, and pays once", async () => {
    const call = { model, input: { prompt: "a" }, idempotency_key: "order-1" };
    const answers: ToolAnswer[] = await Promise.all([client.call("generate", call), client.call("generate", call)]);
    answers.push(await client.call("generate", call));
    expect(new Set(answers.map(({ output }) => output.id)).size).toBe(1);
    expect(answers[2]!.output.replayed).toBe(true);
    expect(await chargesOf(customer)).toHaveLength(1);
    const other = await client.call("generate", { ...call, input: { prompt: "b" } });
    expect(other.error.code).toBe("idempotency_conflict");
  });

  test.runIf(isWhole)("makes two generations of two equal calls without a key", async () => {
    const call = { model, input: { prompt: "a" }, wait_seconds: 0 };
    await Promise.all([client.call("generate", call), client.call("generate", call)]);
    expect(await rowsOf(customer)).toHaveLength(2);
  });

  test.runIf(isWhole)("reads nothing of another account", async () => {
    const { output } = await client.call("generate", { model, input: { prompt: "a" }, wait_seconds: 0 });
    const stranger = await connectClient(version, host.url, (await newCustomer(host.hub)).key);
    expect((await stranger.call("get_generation", { id: output.id })).error.code).toBe("generation_not_found");
    expect((await stranger.call("cancel_generation", { id: output.id })).error.code).toBe("generation_not_found");
  });
});

test("new clients use the stateless revision", async () => {
  const { key } = await newCustomer(host.hub);
  expect((await connectClient("v2", host.url, key)).revision).toBe("2026-07-28");
});

test("a key that requires idempotency keys rejects generate without one", async () => {
  const { key } = await newCustomer(host.hub, { requireIdempotency: true });
  const client = await connectClient("v2", host.url, key);
  const { error } = await client.call("generate", { model, input: { prompt: "a" } });
  expect(error).toMatchObject({ code: "invalid_input", errors: { idempotency_key: ["is required for this API key"] } });
});
