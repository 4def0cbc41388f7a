import { expect, test } from "vitest";
import { loadCatalogue } from "../server/catalogue/load";
import { readEnv } from "../server/env";
import { runAudit } from "../server/domain/audit/audit";
import { callApi } from "./api/call";
import { newCustomer } from "./api/customer";
import { openRunningHost } from "./api/hosts";
import { insertFile } from "./insert-file";

const DATABASE = { DATABASE_URL: "postgres://h/d", HUB_SECRET: "a secret of at least thirty-two characters" };

test.each([
  ["with the embedded database", {}, ["on", "on"]],
  ["with a database of the operator's", DATABASE, ["off", "off"]],
  ["chosen with a database of the operator's", { ...DATABASE, SANDBOX: "on" }, ["on", "off"]],
  ["chosen there with its worker", { ...DATABASE, SANDBOX: "on", SANDBOX_WORKER: "on" }, ["on", "on"]],
  ["switched off", { SANDBOX: "off" }, ["off", "off"]],
  ["switched off, and its worker left on", { SANDBOX: "off", SANDBOX_WORKER: "on" }, ["off", "off"]],
])("enables the sandbox and its worker by default only on the embedded Postgres: %s", (_, settings, expected) => {
  const env = readEnv(settings);
  expect([env.SANDBOX, env.SANDBOX_WORKER]).toEqual(expected);
});

test("disabling the sandbox hides its models, ends its jobs and keeps existing generations", async () => {
  const host = await openRunningHost();
  const { hub } = host;
  const { key, account } = await newCustomer(hub);
  const send = (method: string, path: string, body?: unknown, idempotencyKey?: string) =>
    callApi(host, method, `/api/v1${path}`, {
      key,
      body,
      headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
    });
  const create = (model: string, input: Record<string, unknown>, idempotencyKey?: string) =>
    send("POST", "/hub/generations", { model, input }, idempotencyKey);
  const chat = () =>
    send("POST", "/hub/chat/completions", { model: "sandbox-text", messages: [{ role: "user", content: "hi" }] }, "c");
  const waitForStatus = (id: unknown, status: string) =>
    expect.poll(async () => (await send("GET", `/hub/generations/${id as string}`)).body.status).toBe(status);

  const image = `https://hub.test/api/v1/hub/files/${await insertFile(hub, account, "x")}`;
  const done = (await create("sandbox-image", { prompt: "x" }, "g")).body.id;
  await waitForStatus(done, "succeeded");
  const answer = (await chat()).body;
  const running = (await create("sandbox-image", { prompt: "[hang]" })).body.id;
  await waitForStatus(running, "running");
  const waiting = (await create("sandbox-trainer", { images: [image] })).body.id;

  hub.env.SANDBOX = "off";
  hub.catalogue = await loadCatalogue(hub, {});
  expect((await send("GET", "/hub/models")).body.data).toEqual([]);
  for (const model of ["sandbox-image", "sandbox-trainer"]) {
    expect((await create(model, { prompt: "x" })).body.code).toBe("model_not_found");
    expect((await send("POST", `/hub/models/${model}/pricing`, { input: {} })).status).toBe(404);
  }
  expect((await create("sandbox-image", { prompt: "x" }, "g")).body.id).toBe(done);
  expect((await chat()).body).toEqual(answer);
  expect((await send("GET", `/hub/generations/${done as string}`)).body.outputs).toHaveLength(1);

  hub.clock.advance(2_000);
  hub.publish({ name: "hub/sweep", data: {} });
  for (const id of [running, waiting]) {
    await waitForStatus(id, "failed");
    expect((await send("GET", `/hub/generations/${id as string}`)).body.error).toMatchObject({
      code: "provider_refused",
    });
  }
  const { balance, available } = (await send("GET", "/me")).body;
  expect(available).toBe(balance);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
