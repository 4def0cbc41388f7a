import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import type { InngestServer } from "../../server/inngest-settings";
import { readEnv } from "../../server/env";
import { testHub } from "../../test/hub";
import { openInngestServer } from "../../test/inngest-server";
import { listenOnLoopback } from "../../test/loopback";
import { createInngest } from "../client";
import { createFunctions } from "../functions";
import { createPublisher } from "../publisher";
import { createServerConnection } from "./connection";
import { probeServer } from "./probe-server";
import { registerFunctions, serveFunctions } from "./serve-functions";

const BASE_URL = "https://hub.example";
const hub = await testHub({ BASE_URL, RUNNING_PER_ACCOUNT: "7" });
const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of cleanups.reverse()) await stop();
});

async function openServer(...args: Parameters<typeof openInngestServer>) {
  const server = await openInngestServer(...args);
  cleanups.push(() => server.close());
  return server;
}

/** Opens a hub's connection as a process does. */
function connect(url: string, kind: InngestServer["kind"] = "self-hosted") {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  const inngest: InngestServer = { kind, url };
  const env = { ...hub.env, inngest, INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "00ff" };
  const connection = createServerConnection(inngest, log);
  const client = createInngest({ env, fetch: connection.fetch });
  const publisher = createPublisher(client, log, "debug");
  const handler = serveFunctions(client, createFunctions(client, hub), BASE_URL);
  cleanups.push(connection.keepRegistered(() => registerFunctions(handler, BASE_URL)));
  const issue = () =>
    connection.check().then(
      () => null,
      (error: Error) => error.message,
    );
  return { publisher, issue, lines, texts: () => lines.map(({ msg }) => msg) };
}

const CONNECTED = "connected to the Inngest server; the functions are registered";

test("registers the functions at the hub's address with its limits, and again only when the server has lost them", async () => {
  const server = await openServer({ kind: "dev" });
  const { issue, texts } = connect(server.url, "dev");
  await expect.poll(issue).toBeNull();
  const checks = server.counts.health;
  await expect.poll(() => server.counts.health).toBeGreaterThan(checks);
  expect(server.registrations).toHaveLength(1);
  expect(server.registrations[0]!.url).toBe(`${BASE_URL}/api/inngest`);
  const run = server.registrations[0]!.functions.find(({ id }) => id === "generation-hub-run-generation");
  expect(run!.concurrency).toEqual([{ key: "event.data.account", limit: 7 }]);
  server.forgetFunctions();
  await expect.poll(() => server.registrations).toHaveLength(2);
  expect(texts()).toEqual([CONNECTED]);
});

test("reports a rejection in one sentence and one log line, until it is resolved", async () => {
  const check = async (answers: Parameters<typeof openInngestServer>[0], expectedIssue: string) => {
    const server = await openServer(answers);
    const { publisher, issue, lines } = connect(server.url);
    const warnings = () => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
    publisher.publish({ name: "hub/sweep", data: {} });
    await expect.poll(issue).toContain(`The Inngest server at ${server.url} ${expectedIssue}`);
    const issues = [await issue()];
    await expect.poll(warnings).toEqual(issues);
    Object.assign(server.answers, { health: 200, register: 200, events: 200, kind: "cloud" });
    await expect.poll(issue).toBeNull();
    await expect.poll(() => server.events).toEqual([expect.objectContaining({ name: "hub/sweep" })]);
    await expect.poll(() => lines.at(-1)!.msg).toBe(CONNECTED);
    expect(warnings()).toEqual(issues);
    expect(server.registrations).toHaveLength(1);
  };
  await Promise.all([
    check({ register: 401 }, "rejects INNGEST_SIGNING_KEY."),
    check({ register: 400 }, "did not register the functions (400): "),
    check({ register: 500 }, "did not register the functions (500): "),
    check({ events: 401 }, "rejects INNGEST_EVENT_KEY."),
    check({ events: 503 }, "does not accept events (503)."),
    check({ health: 500 }, "answers its health check with 500."),
    check({ kind: "dev" }, "is a dev server: set INNGEST_DEV in place of INNGEST_BASE_URL."),
  ]);
});

test("registers again with a server that was down, before it sends events", async () => {
  const server = await openInngestServer();
  const { publisher, issue, texts } = connect(server.url);
  await expect.poll(issue).toBeNull();
  await server.close();
  const unreachable = `The Inngest server at ${server.url} does not answer.`;
  expect(await issue()).toBe(unreachable);
  publisher.publish({ name: "generation/queued", data: { id: "1", account: 1 } });
  await expect.poll(texts).toEqual([CONNECTED, unreachable]);
  const reconnected = await openServer({}, server.port);
  let registered = 0;
  reconnected.events.push = (...events) => {
    registered = reconnected.registrations.length;
    return Array.prototype.push.apply(reconnected.events, events);
  };
  await expect.poll(() => reconnected.events).toHaveLength(1);
  expect(registered).toBe(1);
  expect(await issue()).toBeNull();
  expect(reconnected.registrations).toHaveLength(1);
  expect(texts()).toEqual([CONNECTED, unreachable, CONNECTED]);
});

test("detects a server that never responds within two seconds", async () => {
  const silentServer = createServer(() => undefined);
  cleanups.push(
    async () => silentServer.closeAllConnections(),
    async () => silentServer.close(),
  );
  const url = `http://127.0.0.1:${await listenOnLoopback(silentServer)}`;
  const { issue } = connect(url);
  // Two timers of one process fire in their order, however busy it is.
  expect(await Promise.race([issue(), sleep(2_000)])).toBe(`The Inngest server at ${url} does not answer.`);
});

test("any response but a server error means that Inngest Cloud is reachable", async () => {
  const server = await openServer({ health: 404, kind: null });
  await probeServer({ kind: "cloud", url: server.url }, 1_000);
  server.answers.health = 503;
  await expect(probeServer({ kind: "cloud", url: server.url }, 1_000)).rejects.toThrow("Inngest Cloud at");
});

test("checks the same Inngest Cloud address as the SDK uses", () => {
  const env = readEnv({ INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "00ff" });
  const { apiBaseUrl } = createInngest({ env }) as unknown as { apiBaseUrl: string };
  expect(env.inngest).toEqual({ kind: "cloud", url: new URL(apiBaseUrl).origin });
});
