import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";

/** A request as a program sends it to a server of OpenAI's API. */
interface Recorded {
  method: string;
  /** Below `/v1`. */
  path: string;
  headers: Record<string, string>;
  json?: unknown;
  form?: { name: string; value?: string; filename?: string; type?: string }[];
  /** What the program reads from the response. */
  reads: keyof typeof readers;
}

const FOLDER = path.join(import.meta.dirname, "recorded");
const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
const host = await openRunningHost();
// n8n always asks for transcriptions by this id, so an operator gives a model this name.
const transcription = host.hub.catalogue.get("sandbox-transcription")!;
host.hub.catalogue = new Map([...host.hub.catalogue, ["whisper-1", { ...transcription, id: "whisper-1" }]]);
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const picture = readFileSync(path.join(FOLDER, "picture.png"));

function toBody({ json, form }: Recorded): string | FormData | undefined {
  if (!form) return json === undefined ? undefined : JSON.stringify(json);
  const body = new FormData();
  for (const { name, value, filename, type } of form) {
    if (value !== undefined) body.append(name, value);
    else body.append(name, new Blob([type === "image/png" ? picture : Buffer.from("RIFF")], { type }), filename);
  }
  return body;
}

type Json = Record<string, unknown> & { data: Record<string, unknown>[]; choices: Record<string, never>[] };
const readJson = async (response: Response) => (await response.json()) as Json;

/** What the programs read; each throws when something is missing. */
const readers = {
  async models(response: Response) {
    const { data } = await readJson(response);
    expect(data.map(({ id }) => id)).toContain("sandbox-text");
    expect(data.every(({ object, owned_by }) => object === "model" && typeof owned_by === "string")).toBe(true);
  },
  async chat(response: Response) {
    const { choices, usage } = (await response.json()) as {
      choices: { message: { role: string; content: string }; finish_reason: string }[];
      usage: object;
    };
    expect(choices[0]).toMatchObject({ message: { role: "assistant" }, finish_reason: "stop" });
    expect(choices[0]!.message.content).not.toBe("");
    expect(usage).toMatchObject({ total_tokens: expect.any(Number) as number, cost: expect.any(Number) as number });
  },
  /** Programs split the stream into lines, skip comments and stop at `[DONE]`. */
  async stream(response: Response) {
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
    expect(lines.at(-1)).toBe("data: [DONE]");
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)) as StreamedChunk);
    expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? "")).join("")).not.toBe("");
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason === "stop")).toHaveLength(1);
    expect(chunks.filter(({ usage }) => usage).map(({ usage }) => usage!.total_tokens)).toHaveLength(1);
  },
  async images(response: Response) {
    const { data } = (await response.json()) as { data: { b64_json: string }[] };
    expect(data).toHaveLength(1);
    expect(Buffer.from(data[0]!.b64_json, "base64").subarray(1, 4).toString()).toBe("PNG");
  },
  async speech(response: Response) {
    expect(response.headers.get("content-type")).toMatch(/^audio\//);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  },
  async transcription(response: Response) {
    expect(await response.json()).toEqual({ text: expect.stringMatching(/\S/) as string });
  },
  async embeddings(response: Response) {
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] | string }[] };
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    expect(data.every(({ embedding }) => embedding.length > 10)).toBe(true);
  },
};

interface StreamedChunk {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { total_tokens: number } | null;
}

test.each(names)("the request of %s gets what the program reads, once and charged once", async (name) => {
  const request = JSON.parse(readFileSync(path.join(FOLDER, name), "utf8")) as Recorded;
  const { account, key } = await newCustomer(host.hub);
  const response = await fetch(`${host.url}/v1${request.path}`, {
    method: request.method,
    headers: {
      ...request.headers,
      ...(request.json !== undefined && { "content-type": "application/json" }),
      authorization: `Bearer ${key}`,
    },
    body: toBody(request),
  });
  expect(response.status === 200 ? 200 : await response.text()).toBe(200);
  await readers[request.reads](response);
  const records = await host.hub.db.query<{ id: string }>("SELECT id FROM generation WHERE account_id = $1", [account]);
  const charges = await host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [
    account,
  ]);
  const expected = request.reads === "models" ? 0 : 1;
  expect([records.length, charges.length]).toEqual([expected, expected]);
  expect(response.headers.get("x-generation-id")).toBe(records[0]?.id ?? null);
});
