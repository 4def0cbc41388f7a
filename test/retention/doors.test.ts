import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { completeBatches } from "../../server/domain/batches";
import { expireFiles } from "../../server/domain/files";
import { parseCatalogue } from "../../server/catalogue/parse";
import { createLog } from "../../server/lib/log";
import { callApi, type Request } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { catalogueWith } from "../catalogue";
import { openCharacterFixture } from "../characters/character-fixture";
import { createTestTrainer } from "../characters/test-trainer";
import type { TestHub } from "../hub";
import { serveRequests } from "../serve-requests";
import { soakCount } from "../soak";
import { WAIT } from "../wait";
import { openReceiver } from "../webhooks/receiver";
import { findText } from "./find-text";

// Every door takes a text that is found nowhere after the erasure: no table, no file, no line of the log, no page of Postgres.
const receiver = await openReceiver((response, _request, { body }) => void response.writeHead(200).end(body));
const upstream = await serveRequests((request, response) => {
  void buffer(request).then((bytes) => {
    const isChat = request.url!.endsWith("/chat/completions");
    const message = { role: "assistant", content: `You said ${bytes.toString()}` };
    const answer = isChat
      ? {
          id: "chat-1",
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage: { prompt_tokens: 5, completion_tokens: 5 },
        }
      : { data: [{ index: 0, embedding: [0.25, 2] }], usage: { prompt_tokens: 7 } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
const host = await openRunningHost({ SANDBOX: "on", OUTBOUND_ALLOW_HOSTS: receiver.host });
const { hub } = host;
const lines: string[] = [];
hub.log = createLog({ LOG_LEVEL: "trace" }, undefined, { write: (line) => void lines.push(line) });
const { models } = parseCatalogue(
  `providers:
  - { id: up, kind: openai, base_url: "${upstream}/v1", api_key: sk-up-0123456789 }
models:
  - id: embed
    output_modalities: [embedding]
    llm: { input_cost_per_million: 1, output_cost_per_million: 0, context_length: 1000, max_output_tokens: 1 }
    routes: [{ provider: up, upstream_model: text-up }]
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: chat-up }]`,
  { file: "test", variables: {} },
);
hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);

const GENERATIONS = "/api/v1/hub/generations";
/** Sends a request with a text in every member that takes one, and returns the key of its account. */
type Door = (canary: string) => Promise<{ key: string }>;

const open = async () => {
  const customer = await newCustomer(hub, { credit: 100 });
  const call = (method: string, path: string, request: Request = {}) =>
    callApi(host, method, path, { key: customer.key, ...request });
  return { ...customer, call };
};

const doors: Record<string, Door> = {
  async batch(canary) {
    const { key, call } = await open();
    const created = await call("POST", "/api/v1/hub/batches", {
      body: {
        model: "sandbox-image",
        inputs: [{ prompt: canary }, { prompt: `[fail] ${canary}` }],
        metadata: { team: canary },
        end_user: canary,
        webhook: { url: `${receiver.url}/${canary}`, events: ["generation.completed"] },
      },
      headers: { "idempotency-key": "one" },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(202);
    const read = async () => (await call("GET", `/api/v1/hub/batches/${String(created.body.id)}`)).body.completed_at;
    await expect.poll(read, WAIT).toEqual(expect.any(String));
    return { key };
  },

  async vectors(canary) {
    const { key, call } = await open();
    const request = { body: { model: "embed", input: [canary], user: canary }, headers: { "idempotency-key": "one" } };
    expect((await call("POST", "/v1/embeddings", request)).status).toBe(200);
    return { key };
  },

  async messages(canary) {
    const { key, call } = await open();
    const body = {
      model: "talk",
      max_tokens: 100,
      system: canary,
      messages: [{ role: "user", content: canary }],
      metadata: { user_id: canary },
    };
    const headers = { "anthropic-version": "2023-06-01", "idempotency-key": "one" };
    const reply = await call("POST", "/v1/messages", { body, headers });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return { key };
  },

  async character(canary) {
    const fixture = await openCharacterFixture(host);
    const { id } = await fixture.createDraft({ name: canary, trigger_word: canary });
    await fixture.start(id);
    const trainer = createTestTrainer(hub);
    const job = await trainer.leaseJob();
    await trainer.report(job, 0, 0.5, { note: canary });
    await trainer.complete(job, 0, JSON.stringify({ palette: [], note: canary }));
    await fixture.waitForStatus(id, "ready");
    expect((await fixture.send("DELETE", `/api/v1/hub/characters/${id}`)).status).toBe(204);
    return { key: fixture.customer.key };
  },
};

/** Erases all generations of a customer, once its webhooks are delivered. */
async function eraseAll(key: string): Promise<void> {
  const pending = () => hub.db.query("SELECT 1 FROM delivery WHERE state = 'pending'");
  await expect.poll(pending, WAIT).toEqual([]);
  const { body } = await callApi(host, "GET", `${GENERATIONS}?limit=100`, { key });
  for (const { id } of body.data as { id: string }[]) {
    const reply = await callApi(host, "DELETE", `${GENERATIONS}/${id}`, { key });
    expect(reply.status, JSON.stringify(reply.body)).toBe(204);
  }
  // Its webhook goes when the batch is complete.
  await completeBatches(hub);
  await expireFiles(hub, 100);
}

test.each(Object.keys(doors))("after an erasure nothing of a %s is left", async (name) => {
  const canary = `canary${name}4711`;
  const { key } = await doors[name]!(canary);
  expect(await findText(hub, canary)).not.toEqual([]);
  await eraseAll(key);
  expect(await findText(hub, canary)).toEqual([]);
  expect(lines.filter((line) => line.includes(canary))).toEqual([]);
});

test("the audit finds no violation after these erasures", async () => {
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});

test.runIf(soakCount(0, 1))("no page of Postgres has the texts after VACUUM FULL and a checkpoint", async () => {
  await hub.db.query("CHECKPOINT");
  expect(await findPages(hub, "4711")).not.toEqual([]);
  await hub.db.query("VACUUM (FULL, ANALYZE)");
  await hub.db.query("CHECKPOINT");
  expect(await findPages(hub, "4711")).toEqual([]);
});

/** Returns the files of this database, without the log of Postgres, that have a canary. */
async function findPages(hub: TestHub, end: string): Promise<string[]> {
  const [place] = await hub.db.query<{ folder: string; oid: number }>(
    "SELECT current_setting('data_directory') AS folder, oid::int FROM pg_database WHERE datname = current_database()",
  );
  const folder = path.join(place!.folder, "base", String(place!.oid));
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    const content = await readFile(path.join(folder, name));
    if (Object.keys(doors).some((door) => content.includes(`canary${door}${end}`))) found.push(name);
  }
  return found;
}
