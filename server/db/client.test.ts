import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "../../test/api/customer";
import { withClient } from "../../test/cluster";
import { deriveHub } from "../../test/derive-hub";
import { testHub } from "../../test/hub";
import { openEngineConnection } from "../../inngest/embedded/engine-connection";
import { sumMoney } from "../domain/operations/money";
import { withConnection } from "../process/database";
import { openDb, type Queryable } from "./client";

/** Returns a hub with new connections to a database whose time zone is that of New York. */
async function hubInNewYork() {
  const { databaseUrl: url, ...first } = await testHub();
  await withClient(url, (client) =>
    client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'America/New_York'`),
  );
  const db = openDb(url, 3);
  onTestFinished(() => db.close());
  return { hub: deriveHub({ databaseUrl: url, ...first }, { db }), db, url };
}

test("every connection works in UTC, whatever the time zone of the database", async () => {
  const { db, url } = await hubInNewYork();
  const engine = openEngineConnection(url, () => undefined);
  onTestFinished(() => engine.close());
  const zoneOf = async (on: Queryable) => (await on.query<{ TimeZone: string }>("SHOW timezone"))[0]!.TimeZone;
  expect({
    pool: await zoneOf(db),
    transaction: await db.transaction(zoneOf),
    ledgerConnection: await zoneOf(db.ledgerConnection),
    shortReads: await zoneOf(db.shortReads),
    engine: await zoneOf(engine),
    ownConnection: await withConnection(url, async (client) =>
      zoneOf({ query: async <Row extends object>(text: string) => (await client.query<Row>(text)).rows }),
    ),
  }).toEqual({
    pool: "UTC",
    transaction: "UTC",
    ledgerConnection: "UTC",
    shortReads: "UTC",
    engine: "UTC",
    ownConnection: "UTC",
  });
});

test("the operators' money of a day in UTC is right, whatever the time zone of the database", async () => {
  const { hub } = await hubInNewYork();
  const today = hub.now().toISOString().slice(0, 10);
  const midnight = Date.parse(today);
  const yesterday = new Date(midnight - 1).toISOString().slice(0, 10);
  for (const [hour, billed] of [
    [midnight - 3_600_000, 1_000_000_000],
    [midnight, 2_000_000_000],
  ])
    await hub.db.query(
      `INSERT INTO money_hour (hour, balance_change, promotional_change, billed, provider_cost) VALUES ($1, 0, 0, $2, 0)`,
      [new Date(hour!), billed],
    );
  expect((await sumMoney(hub, 2)).days).toMatchObject([
    { day: yesterday, billed: 1 },
    { day: today, billed: 2 },
  ]);
});

test("Prisma reads and writes the times that SQL does, whatever the time zone of the database", async () => {
  const { hub, db } = await hubInNewYork();
  const { account } = await newCustomer(hub);
  const at = new Date("2026-07-01T12:00:00.000Z");
  const data = { accountId: account, name: "Ada", baseModel: "sandbox-trainer", images: [], parameters: {} };
  const { id } = await db.prisma.character.create({ data: { ...data, createdAt: at, updatedAt: at } });
  expect(await db.query("SELECT created_at FROM character WHERE id = $1", [id])).toEqual([{ created_at: at }]);
  await db.query("UPDATE character SET updated_at = $2 WHERE id = $1", [id, new Date(at.getTime() + 1)]);
  expect(await db.prisma.character.findUnique({ where: { id }, select: { updatedAt: true } })).toEqual({
    updatedAt: new Date(at.getTime() + 1),
  });
});
