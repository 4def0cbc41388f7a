import fc from "fast-check";
import { expect, test } from "vitest";
import { testHub } from "../../../../test/hub";
import { seed, soakCount } from "../../../../test/soak";
import { toEuros } from "../../../lib/money";
import { gpuCostSql } from "./meter";

const hub = await testHub();

/** Returns the bill for each price (nano-euros a second) and time. */
async function bill(items: { price: bigint; gpuMs: number }[]): Promise<bigint[]> {
  const prices = items.map(({ price }) => JSON.stringify({ price_per_second: toEuros(price) }));
  const rows = await hub.db.query<{ bill: bigint }>(
    `SELECT ${gpuCostSql("g.gpu_ms")} AS bill FROM unnest($1::jsonb[], $2::bigint[]) WITH ORDINALITY AS g (price, gpu_ms, n) ORDER BY n`,
    [prices, items.map(({ gpuMs }) => gpuMs)],
  );
  return rows.map((row) => row.bill);
}

test("bills GPU time as price × time, exactly, rounded up once", async () => {
  const few = [
    { price: 800_000n, gpuMs: 1 },
    { price: 1n, gpuMs: 1 },
    { price: 1n, gpuMs: 0 },
  ];
  expect(await bill(few)).toEqual([800n, 1n, 0n]);
  const item = fc.record({
    price: fc.bigInt({ min: 0n, max: 1_000n * 10n ** 9n }),
    gpuMs: fc.integer({ min: 0, max: 86_400_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 50, maxLength: 100 }), async (items) => {
      const bills = await bill(items);
      items.forEach(({ price, gpuMs }, index) => {
        const rest = bills[index]! * 1_000n - price * BigInt(gpuMs);
        expect(rest >= 0n && rest < 1_000n).toBe(true);
      });
    }),
    { seed, numRuns: soakCount(20, 500) },
  );
});
