import { expect, test } from "vitest";
import { testDatabase } from "../../test/database";

test("the migrated database opens with both doors", async () => {
  const { db } = await testDatabase();
  const [row] = await db.query<{ big: bigint }>("SELECT 9007199254740993::bigint AS big");
  expect(row!.big).toBe(9007199254740993n);
  const account = await db.prisma.account.create({ data: { email: "a@example.org", createdAt: new Date(0) } });
  expect(account.balance).toBe(0n);
});
