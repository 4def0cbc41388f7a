import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { openSmokeHosts } from "../api/hosts";
import { type Customer, newCustomer } from "../api/customer";
import { openStream, parseChunks } from "./read-stream";

const hosts = await openSmokeHosts();

describe.each(hosts)("OpenAI's paths on $name", ({ url, hub }) => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await newCustomer(hub);
  });
  const openAi = (apiKey = customer.key) => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  };
  const withKey = () => ({ authorization: `Bearer ${customer.key}` });

  test("list models as OpenAI's SDK reads them, and one of them", async () => {
    const { data } = await openAi().models.list();
    expect(data.map(({ id }) => id)).toContain("sandbox-text");
    expect(await openAi().models.retrieve("sandbox-text")).toMatchObject({
      id: "sandbox-text",
      object: "model",
      owned_by: "Generation Hub",
      created: 1_795_219_200,
      context_length: 128_000,
    });
    await expect(openAi().models.retrieve("some/other")).rejects.toThrow(OpenAI.NotFoundError);
  });

  test("complete a chat as the specified path does", async () => {
    const { data, response } = await openAi()
      .chat.completions.create({ model: "sandbox-text", messages: [{ role: "user", content: "hello" }], n: 1 })
      .withResponse();
    expect(data).toMatchObject({ object: "chat.completion", usage: { cost: expect.any(Number) as number } });
    expect(response.headers.get("x-generation-id")).toBe(data.id);
  });

  test("share idempotency keys with the specified path", async () => {
    const body = { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] };
    const headers = { ...withKey(), "idempotency-key": "shared" };
    const first = await send("POST", "/api/v1/hub/chat/completions", headers, body);
    const second = await send("POST", "/v1/chat/completions", headers, body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.headers.get("x-generation-id")).toBe((first.body as { id: string }).id);
    expect(second.body).toEqual(first.body);
  });

  test("stream a chat word by word", async () => {
    const stream = await openStream({
      url,
      key: customer.key,
      body: { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] },
    });
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const chunks = parseChunks(await stream.rest());
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks[0]!.id).toBe(stream.response.headers.get("x-generation-id"));
    expect(chunks.at(-1)!.usage!.cost).toBeGreaterThan(0);
  });

  test("end a chat whose client leaves while it waits for the provider", async () => {
    const stream = await openStream({
      url,
      key: customer.key,
      body: { model: "sandbox-text", messages: [{ role: "user", content: "hello [slow:50]" }] },
    });
    const { id } = await stream.nextChunk();
    stream.leave();
    const status = async () =>
      (await hub.db.query<{ status: string }>("SELECT status FROM generation WHERE id = $1", [id]))[0]!.status;
    await expect.poll(status).toBe("canceled");
    expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
  });

  test.each<[string, string, string, () => Record<string, string>, unknown, [number, string, string]]>([
    ["no key", "POST", "/v1/chat/completions", () => ({}), {}, [401, "unauthorized", "authentication_error"]],
    [
      "a cookie",
      "POST",
      "/v1/chat/completions",
      () => ({ cookie: ".AspNetCore.Cookies=x", "x-requested-with": "XMLHttpRequest" }),
      {},
      [401, "unauthorized", "authentication_error"],
    ],
    [
      "an unknown model",
      "POST",
      "/v1/chat/completions",
      withKey,
      { model: "nobody", stream: true, messages: [] },
      [404, "model_not_found", "invalid_request_error"],
    ],
    [
      "options that are none",
      "POST",
      "/v1/chat/completions",
      withKey,
      { model: "sandbox-text", stream: true, stream_options: 7, messages: [] },
      [400, "invalid_input", "invalid_request_error"],
    ],
    [
      "stream as a word",
      "POST",
      "/v1/chat/completions",
      withKey,
      { model: "sandbox-text", stream: "yes", messages: [{ role: "user", content: "x" }] },
      [400, "invalid_input", "invalid_request_error"],
    ],
    ["another method", "GET", "/v1/chat/completions", withKey, undefined, [405, "method_not_allowed", "invalid_request_error"]], // prettier-ignore
    ["another path", "GET", "/v1/nothing", withKey, undefined, [404, "resource_not_found", "invalid_request_error"]],
  ])("answer %s with OpenAI's error", async (_case, method, path, headers, body, [status, code, type]) => {
    const reply = await send(method, path, headers(), body);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({
      error: {
        message: expect.any(String) as string,
        code,
        type,
        param: expect.toBeOneOf([null, expect.any(String)]) as null, // prettier-ignore
        metadata: expect.objectContaining({ provider_name: "Generation Hub" }) as object,
      },
    });
  });
});
