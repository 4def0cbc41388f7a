import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { listenToChannels } from "./listen";

const log = pino({ level: "silent" });
let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

const listeners = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;

test("receives notifications, and continues after a lost connection", async () => {
  const { db, url } = await testDatabase();
  const channel = `test_${randomBytes(4).toString("hex")}`;
  let received = 0;
  stop = listenToChannels({ url, channels: { [channel]: () => (received += 1) }, log });
  await expect.poll(() => db.query(listeners)).toHaveLength(1);
  await db.query(`NOTIFY ${channel}`);
  await expect.poll(() => received).toBe(1);

  await db.query(`SELECT pg_terminate_backend(pid) FROM (${listeners}) AS line`);
  // Notifications may be lost while the connection is down, so a reconnect counts as one.
  await expect.poll(() => received).toBe(2);
  await db.query(`NOTIFY ${channel}`);
  await expect.poll(() => received).toBe(3);
});
