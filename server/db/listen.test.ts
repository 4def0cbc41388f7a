import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { listenToChannels } from "./listen";

const log = pino({ level: "silent" });
let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

const listeners = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;

test("hears what is told, and goes on after the line was lost", async () => {
  const { db, url } = await testDatabase();
  const channel = `test_${randomBytes(4).toString("hex")}`;
  let heard = 0;
  stop = listenToChannels({ url, channels: { [channel]: () => (heard += 1) }, log });
  await expect.poll(() => db.query(listeners)).toHaveLength(1);
  await db.query(`NOTIFY ${channel}`);
  await expect.poll(() => heard).toBe(1);

  await db.query(`SELECT pg_terminate_backend(pid) FROM (${listeners}) AS line`);
  // What was told while it was down may have been missed, so coming back counts as a notice.
  await expect.poll(() => heard, { timeout: 5_000 }).toBe(2);
  await db.query(`NOTIFY ${channel}`);
  await expect.poll(() => heard).toBe(3);
});
