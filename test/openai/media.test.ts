import { execFileSync, execFile } from "node:child_process";
import { promisify } from "node:util";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { soakCount } from "../soak";
import { openImpatientClient } from "./impatient-client";

const host = await openRunningHost();
const baseURL = `${host.url}/v1`;
let customer: Customer;
let client: OpenAI;
beforeEach(async () => {
  customer = await newCustomer(host.hub);
  client = new OpenAI({ baseURL, apiKey: customer.key });
});
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const rows = () =>
  host.hub.db.query<{ id: string; status: string; billed_cost: bigint; input: Record<string, unknown> }>(
    "SELECT id, status, billed_cost, input FROM generation WHERE account_id = $1 ORDER BY id",
    [customer.account],
  );
const charges = async () =>
  (await host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [customer.account]))
    .length;
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${baseURL}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
/** Returns how many of the generations that have not ended are at the provider; their seconds count from then on. */
const countSubmitted = async () =>
  (
    await host.hub.db.query(
      `SELECT FROM attempt a JOIN generation g ON g.id = a.generation_id
       WHERE g.account_id = $1 AND g.status = 'running' AND a.upstream_id IS NOT NULL`,
      [customer.account],
    )
  ).length;
const isPng = (base64: string) => Buffer.from(base64, "base64").subarray(1, 4).toString() === "PNG";
const model = "sandbox-image";
/** Lets requests of one test wait for their generations this long. */
function setWaitSeconds(seconds: number): void {
  const { env } = host.hub;
  host.hub.env = { ...env, OPENAI_WAIT_SECONDS: seconds };
  onTestFinished(() => void (host.hub.env = env));
}
/** More than the pool has connections. */
const WAITERS = soakCount(20, 300);

describe("images", () => {
  test("are returned as base64, charged once, with the generation's id", async () => {
    const { data, response } = await client.images
      .generate({ model, prompt: "a harbour", size: "1792x1024" })
      .withResponse();
    expect(isPng(data.data![0]!.b64_json!)).toBe(true);
    const [row] = await rows();
    expect(row).toMatchObject({ status: "succeeded", input: { aspect_ratio: "16:9", resolution: "1k" } });
    expect(response.headers.get("x-generation-id")).toBe(row!.id);
    expect(await charges()).toBe(1);
  });

  test("are returned as links that open without a key", async () => {
    const { data } = await client.images.generate({ model, prompt: "a harbour", response_format: "url" });
    const url = data![0]!.url!.replace(host.hub.env.BASE_URL, host.url);
    expect((await fetch(url)).headers.get("content-type")).toBe("image/png");
  });

  test("can be edited; the pictures become files of the account, each once", async () => {
    const { data } = await client.images.generate({ model, prompt: "a harbour" });
    const picture = async (name: string) =>
      toFile(Buffer.from(data![0]!.b64_json!, "base64"), name, { type: "image/png" });
    for (let n = 0; n < 2; n += 1) {
      const edited = await client.images.edit({
        model,
        prompt: `boats ${n}`,
        image: [await picture("a.png"), await picture("b.png")],
      });
      expect(isPng(edited.data![0]!.b64_json!)).toBe(true);
    }
    const files = await host.hub.db.query("SELECT FROM file WHERE account_id = $1", [customer.account]);
    // Three outputs, of which the first is the picture that was sent.
    expect(files).toHaveLength(3);
  });

  test("of a model that makes one at a time are one generation each, under one idempotency key", async () => {
    const options = { headers: { "Idempotency-Key": "set-1" } };
    const create = () => client.images.generate({ model, prompt: "a harbour", n: 3 }, options).withResponse();
    const { data, response } = await create();
    expect(data.data).toHaveLength(3);
    const ids = (await rows()).map(({ id }) => id);
    expect(response.headers.get("x-generation-id")!.split(", ").sort()).toEqual(ids);
    expect(await charges()).toBe(3);
    const again = await create();
    expect(again.data.data).toEqual(data.data);
    expect(again.response.headers.get("idempotent-replayed")).toBe("true");
    expect([await charges(), (await rows()).length]).toEqual([3, 3]);
  });

  test.each([
    [{ n: 11 }, "n"],
    [{ n: 0 }, "n"],
    [{ size: "large" }, "size"],
    [{ response_format: "tiff" }, "response_format"],
    [{ quality: "hd" }, "quality"],
    [{ model: "sandbox-speech" }, "model"],
    [{ stream: true }, "stream"],
  ])("reject %j", async (extra, param) => {
    const reply = await send("/images/generations", { model, prompt: "a", ...extra });
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { param: string; type: string } };
    expect(error.type).toBe("invalid_request_error");
    expect(error.param).toBe(param);
    expect(await rows()).toEqual([]);
  });

  test("that take too long are 504, go on, and are not bought again by the SDK", async () => {
    setWaitSeconds(3);
    const error = await client.images.generate({ model, prompt: "[hang]" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    const { status, headers } = error as InstanceType<typeof OpenAI.APIError>;
    const [row, ...others] = await rows();
    expect([status, others]).toEqual([504, []]);
    expect(headers!.get("x-generation-id")).toBe(row!.id);
    expect(headers!.get("location")).toBe(`/api/v1/hub/generations/${row!.id}`);
    expect(headers!.get("x-should-retry")).toBe("false");
    await expect.poll(async () => (await rows())[0]!.status).toBe("running");
  });

  test("that fail cost nothing and are not tried again by the SDK", async () => {
    const error = await client.images.generate({ model, prompt: "[fail]" }).catch((error: unknown) => error);
    expect((error as InstanceType<typeof OpenAI.APIError>).status).toBe(502);
    expect(await rows()).toHaveLength(1);
    expect(await charges()).toBe(0);
  });
});

describe("retries", () => {
  /** Returns a client for this many calls, whose generations, of ten seconds, end once all first requests have timed out. */
  function openClient(calls: number): OpenAI {
    let leftCount = 0;
    const isUnderWay = () => expect.poll(countSubmitted).toBe(calls);
    return openImpatientClient({ baseURL, apiKey: customer.key }, isUnderWay, () => {
      if ((leftCount += 1) === calls) host.hub.clock.advance(10_000);
    });
  }

  test("of two equal calls whose clients time out make two generations and two charges", async () => {
    const impatient = openClient(2);
    const call = () => impatient.images.generate({ model, prompt: "[slow:10]", response_format: "url" });
    await Promise.all([call(), call()]);
    expect(await rows()).toHaveLength(2);
    expect(await charges()).toBe(2);
    await expect
      .poll(() =>
        host.hub.db.query("SELECT FROM generation WHERE account_id = $1 AND request_digest IS NOT NULL", [
          customer.account,
        ]),
      )
      .toEqual([]);
  });

  test("of a form with another boundary join as well", async () => {
    const speech = await client.audio.speech.create({ model: "sandbox-speech", voice: "alloy", input: "one two" });
    const file = await toFile(Buffer.from(await speech.arrayBuffer()), "a.wav");
    const { text } = await openClient(1).audio.transcriptions.create({
      model: "sandbox-transcription",
      file,
      prompt: "[slow:10]",
    });
    expect(text).toBe("one two");
    expect(await rows()).toHaveLength(2);
  });

  test("by key wait for the same generation; the key is the route's own", async () => {
    const headers = { "idempotency-key": "order-1" };
    const body = { model, prompt: "[slow:0.5]", response_format: "url" };
    const replies = await Promise.all([
      send("/images/generations", body, headers),
      send("/images/generations", body, headers),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(replies.map((reply) => reply.headers.get("x-generation-id"))).toEqual([row!.id, row!.id]);
    expect((await send("/images/generations", { ...body, prompt: "other" }, headers)).status).toBe(409);
    expect((await send("/audio/speech", { model: "sandbox-speech", input: "a" }, headers)).status).toBe(200);
    const specified = await fetch(`${host.url}/api/v1/hub/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ model, input: { prompt: "a" } }),
    });
    expect(specified.status).toBe(202);
  });
});

describe("audio", () => {
  test("speech is a recording whose text can be transcribed in each format", async () => {
    const speech = await client.audio.speech.create({ model: "sandbox-speech", voice: "alloy", input: "good morning" });
    expect(speech.headers.get("content-type")).toBe("audio/wav");
    const recording = Buffer.from(await speech.arrayBuffer());
    const create = async (response_format: "json" | "text" | "srt" | "vtt" | "verbose_json") =>
      client.audio.transcriptions.create({
        model: "sandbox-transcription",
        file: await toFile(recording, "a.wav"),
        response_format,
      });
    expect(await create("json")).toMatchObject({ text: "good morning" });
    expect(await create("verbose_json")).toMatchObject({ text: "good morning", duration: 0.6 });
    expect(await create("text")).toBe("good morning\n");
    expect(await create("srt")).toContain("00:00:00,000 --> 00:00:00,600");
    expect(await create("vtt")).toContain("WEBVTT");
    expect(await charges()).toBe(6);
  });

  test("granularities are those that the model has, and OpenAI's default for any", async () => {
    const speech = await client.audio.speech.create({ model: "sandbox-speech", voice: "alloy", input: "good morning" });
    const recording = Buffer.from(await speech.arrayBuffer());
    const create = async (timestamp_granularities: ("word" | "segment")[]) =>
      client.audio.transcriptions.create({
        model: "sandbox-transcription",
        file: await toFile(recording, "a.wav"),
        response_format: "verbose_json",
        timestamp_granularities,
      });
    expect(await create(["segment"])).toMatchObject({ text: "good morning" });
    await expect(create(["word"])).rejects.toThrow(/400.*timestamp_granularities/);
    expect(await charges()).toBe(2);
  });

  test("speech in MP3 has its type", async () => {
    const speech = await client.audio.speech.create({
      model: "sandbox-speech",
      voice: "alloy",
      input: "a",
      response_format: "mp3",
    });
    expect(speech.headers.get("content-type")).toBe("audio/mpeg");
  });

  test("a form that is cut off, too large or none is rejected", async () => {
    const post = (body: string, type = "multipart/form-data; boundary=x") =>
      fetch(`${baseURL}/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${customer.key}`, "content-type": type },
        body,
      });
    expect((await post('--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nsand')).status).toBe(400);
    expect((await post("{}", "application/json")).status).toBe(400);
    expect((await post("a".repeat(52_600_000))).status).toBe(413);
  });
});

describe("embeddings", () => {
  const embedding = "sandbox-embedding";

  test("are the same in base64, which the SDK asks for, and as numbers", async () => {
    const input = ["a lighthouse", "a harbour"];
    const first = await client.embeddings.create({ model: embedding, input });
    const second = await client.embeddings.create({ model: embedding, input, encoding_format: "float" });
    expect(first.data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
    first.data[0]!.embedding.forEach((number, index) =>
      expect(number).toBeCloseTo(second.data[0]!.embedding[index]!, 6),
    );
    expect(first.usage).toMatchObject({ prompt_tokens: 4, total_tokens: 4 });
    expect((await rows()).map(({ billed_cost }) => billed_cost)).toEqual([80n, 80n]);
    const kept = await host.hub.db.query("SELECT FROM generation WHERE account_id = $1 AND stored_answer IS NOT NULL", [
      customer.account,
    ]);
    expect(kept).toEqual([]);
  });

  test("have the dimensions that were asked for, and take tokens", async () => {
    const { data } = await client.embeddings.create({ model: embedding, input: [1, 2, 3], dimensions: 8 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8]);
  });

  test.each([
    [{ input: "" }],
    [{ input: [] }],
    [{ input: "a", dimensions: 0 }],
    [{ input: "a", encoding_format: "x" }],
    [{ input: "a", model }],
  ])("reject %j", async (body) => {
    expect((await send("/embeddings", { model: embedding, ...body })).status).toBe(400);
    expect(await rows()).toEqual([]);
  });

  test("are replayed by key", async () => {
    const headers = { "idempotency-key": "e" };
    const [first, second] = [
      await send("/embeddings", { model: embedding, input: "a" }, headers),
      await send("/embeddings", { model: embedding, input: "a" }, headers),
    ];
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await charges()).toBe(1);
  });

  test("are not computed by the chat path", async () => {
    const reply = await fetch(`${host.url}/api/v1/hub/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: embedding, messages: [{ role: "user", content: "a" }] }),
    });
    expect(reply.status).toBe(400);
  });
});

describe("every error is OpenAI's envelope", () => {
  test.each([
    ["POST", "/nothing", 404],
    ["GET", "/images/generations", 405],
    ["DELETE", "/embeddings", 405],
  ])("%s %s", async (method, path, status) => {
    const reply = await fetch(`${baseURL}${path}`, { method });
    expect(reply.status).toBe(status);
    const { error } = (await reply.json()) as { error: { message: string; type: string } };
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).not.toBe("");
  });

  test("also without a key, without money and for an unknown model", async () => {
    const stranger = new OpenAI({ baseURL, apiKey: "wrong" });
    await expect(stranger.embeddings.create({ model: "x", input: "a" })).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(client.images.generate({ model: "none", prompt: "a" })).rejects.toThrow(OpenAI.NotFoundError);
    const poor = await newCustomer(host.hub, { credit: 0 });
    const call = new OpenAI({ baseURL, apiKey: poor.key }).images.generate({ model, prompt: "a" });
    await expect(call).rejects.toMatchObject({ status: 402, type: "insufficient_quota" });
  });
});

test("pages of any origin may call with a key, and never with cookies", async () => {
  const preflight = await fetch(`${baseURL}/images/generations`, {
    method: "OPTIONS",
    headers: {
      origin: "https://app.test",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
  expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
  const reply = await fetch(`${baseURL}/embeddings`, { method: "POST", headers: { origin: "https://app.test" } });
  expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
});

test("many requests wait without holding connections of the database", async () => {
  setWaitSeconds(3);
  const calls = Array.from({ length: WAITERS }, () => send("/images/generations", { model, prompt: "[hang]" }));
  await expect.poll(async () => (await rows()).length).toBe(WAITERS);
  await expect(host.hub.db.query("SELECT 1")).resolves.toHaveLength(1);
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([504]));
});

const python = `
import openai, sys
client = openai.OpenAI(base_url=sys.argv[1], api_key=sys.argv[2])
print(len(client.images.generate(model="sandbox-image", prompt="a").data[0].b64_json) > 100)
print(len(client.embeddings.create(model="sandbox-embedding", input="a").data[0].embedding))
`;
function hasPythonSdk(): boolean {
  try {
    execFileSync("python3", ["-c", "import openai"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const missing = !hasPythonSdk();
if (missing) process.stdout.write("skipped, openai for Python: python3 has no package openai (pip install openai)\n");

test.skipIf(missing)("openai for Python makes pictures and embeddings", async () => {
  const { stdout } = await promisify(execFile)("python3", ["-c", python, baseURL, customer.key]);
  expect(stdout.trim().split("\n")).toEqual(["True", "256"]);
});
