import { expect, test } from "vitest";
import { testDatabase } from "../../../test/database";
import { toServiceUnavailable } from "./to-service-unavailable";

const { db } = await testDatabase();

/** Returns the error of a statement that fails with this SQLSTATE, as the Prisma client and as SQL report it. */
async function failWith(code: string): Promise<unknown[]> {
  await db.query(`
    CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'failed' USING ERRCODE = '${code}'; END $$`);
  await db.query("CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON offered_model FOR EACH ROW EXECUTE FUNCTION fail()");
  const data = { id: code, firstOfferedAt: new Date() };
  const failures = await Promise.allSettled([
    db.prisma.offeredModel.create({ data }),
    db.prisma.offeredModel.createMany({ data }),
    db.query("INSERT INTO offered_model (id, first_offered_at) VALUES ($1, $2)", [code, data.firstOfferedAt]),
  ]);
  return failures.map((failure) => (failure.status === "rejected" ? (failure.reason as unknown) : null));
}

test.each([
  ["a full disk", "53100"],
  ["too many connections", "53300"],
  ["a shutdown", "57P01"],
  ["a lost connection", "08006"],
])("%s is a 503, through the Prisma client as well as SQL", async (_reason, code) => {
  for (const error of await failWith(code)) {
    expect(toServiceUnavailable(error)).toMatchObject({ code: "service_unavailable" });
  }
});

test("a failed statement is no 503", async () => {
  for (const error of await failWith("23514")) expect(toServiceUnavailable(error)).toBeNull();
});
