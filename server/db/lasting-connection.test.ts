import { connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, expect, test } from "vitest";
import { openEngineConnection } from "../../inngest/embedded/engine-connection";
import { testDatabase } from "../../test/database";
import { listenOnLoopback } from "../../test/loopback";
import { toServiceUnavailable } from "../domain/health/to-service-unavailable";
import { type Db, openDb } from "./client";
import { int4 } from "./column-types";
import { statement } from "./statement";

const ANSWER_TIMEOUT_MS = 1_000;

/** A relay to Postgres whose open connections can fall silent: they stay open, and nothing passes. New ones work. */
async function openRelay(target: URL) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const { url } = await testDatabase();
const relay = await openRelay(new URL(url));
afterAll(() => relay.close());

const selectOne = statement({ params: [], row: { one: int4 }, text: "SELECT 1 AS one" });
const text = "SELECT 1 AS one FROM pg_sleep(1.5)";
const sleepLong = statement({ params: [], row: { one: int4 }, text, isLong: true });

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
const open = (size = 8) => {
  const db = openDb(relay.url, size, ANSWER_TIMEOUT_MS);
  opened.push(db);
  return db;
};

test.each<[string, (db: Db) => Promise<unknown>]>([
  ["of the pool", selectOne],
  ["for money", (db) => selectOne(db.ledgerConnection)],
  ["for short reads", (db) => selectOne(db.shortReads)],
  ["of a transaction", (db) => db.transaction(selectOne)],
  ["of the Prisma client", (db) => db.prisma.account.count()],
])("a connection %s that falls silent is an outage, and the next statement uses another", async (_which, ask) => {
  const db = open();
  const answer = await ask(db);
  relay.silence();
  expect(await ask(db).catch(toServiceUnavailable)).toMatchObject({ code: "service_unavailable" });
  // Statements that are sent before the silent connection has closed are lost with it.
  await expect.poll(() => ask(db).catch(toServiceUnavailable)).toEqual(answer);
});

test("a transaction whose connection falls silent waits for no other answer, such as that of its rollback", async () => {
  const db = open(2);
  const failed = db.transaction(async (tx) => {
    await selectOne(tx);
    relay.silence();
    await expect(selectOne(tx)).rejects.toThrow("Query read timeout");
    await expect(selectOne(tx)).rejects.toThrow("Client was closed");
    throw new Error("given up");
  });
  await expect(failed).rejects.toThrow("given up");
  expect(await selectOne(db)).toEqual([{ one: 1 }]);
});

test("a long statement has more time", async () => {
  const db = open();
  await expect(db.query(text)).rejects.toThrow("Query read timeout");
  expect(await sleepLong(db)).toHaveLength(1);
  expect(await sleepLong(db.ledgerConnection)).toHaveLength(1);
});

test("the engine reconnects when its connection falls silent, and looks for what it missed", async () => {
  const lost: (Error | undefined)[] = [];
  const connection = openEngineConnection(relay.url, (lostBy) => lost.push(lostBy), ANSWER_TIMEOUT_MS);
  opened.push(connection);
  expect(await selectOne(connection)).toEqual([{ one: 1 }]);
  relay.silence();
  await expect(selectOne(connection)).rejects.toThrow("Query read timeout");
  await expect.poll(() => lost.length).toBe(1);
  expect(await selectOne(connection)).toEqual([{ one: 1 }]);
});
