import { expect, test } from "vitest";
import { type Delivery, listDeliveries } from "../../server/domain/webhooks/delivery";
import { listEndpoints } from "../../server/domain/webhooks/find-endpoints";
import { newFollower } from "./follower";
import { forkHub } from "./fork-hub";
import { openMatrix } from "./misbehaviour";
import { hubWithoutEngine } from "./hub-without-engine";
import { openReceiver } from "./receiver";

const EACH = 8;
const MIB = 1024 * 1024;

test(
  "whatever receivers do ends as specified, in bounded memory, and delays nobody else",
  { timeout: 120_000 },
  async () => {
    const matrix = await openMatrix();
    const healthy = await Promise.all(Array.from({ length: 4 }, () => openReceiver()));
    const hosts = [...Object.values(matrix), ...healthy].map(({ host }) => host);
    // One attempt each is looked at; the second is an hour away, however slow the machine.
    const settings = { OUTBOUND_ALLOW_HOSTS: hosts.join(","), WEBHOOK_RETRY_DELAYS_SECONDS: "3600" };
    const hub = await hubWithoutEngine(settings);
    const child = await forkHub(hub, settings);
    const bystander = await newFollower(hub);
    for (const { url } of healthy) await bystander.register(url, ["generation.completed"]);
    const tellHealthy = async () => {
      for (let n = 0; n < 10; n += 1) await bystander.cancel(await bystander.queue());
    };
    const arrived = (count: number) =>
      expect
        .poll(() => healthy.map(({ received }) => received.length), { timeout: 10_000 })
        .toEqual(Array(4).fill(count));
    await tellHealthy();
    await arrived(10);
    const before = child.peakMemory();

    const cases = await Promise.all(
      Object.entries(matrix).map(async ([name, expected]) => {
        const follower = await newFollower(hub);
        const { id } = await follower.register(expected.url, ["generation.completed"]);
        return { name, expected, follower, id };
      }),
    );
    await Promise.all(
      cases.flatMap(({ follower }) =>
        Array.from({ length: EACH }, async () => follower.cancel(await follower.queue())),
      ),
    );
    // Long before the first hanging attempt is given up.
    await tellHealthy();
    await arrived(20);

    const deliveriesOf = async ({ follower, id }: (typeof cases)[number]): Promise<Delivery[]> =>
      (await listDeliveries(follower.ctx, id, { limit: 100 })).data;
    for (const one of cases) {
      const { name, expected } = one;
      const tried = async () => (await deliveriesOf(one)).filter(({ attempts }) => attempts.length > 0).length;
      await expect.poll(tried, { timeout: 60_000, interval: 200 }).toBe(EACH);
      for (const { state, attempts, next_attempt_at } of await deliveriesOf(one)) {
        expect({ name, state, status: attempts[0]!.status }).toEqual({
          name,
          state: expected.state,
          status: expected.status,
        });
        expect(attempts).toHaveLength(1);
        expect(attempts[0]!.duration_ms).toBeLessThan(17_000);
        expect((attempts[0]!.error === null) === (expected.status !== null)).toBe(true);
        expect(next_attempt_at === null).toBe(state !== "pending");
      }
      const [endpoint] = await listEndpoints(one.follower.ctx);
      expect({ name, blamed: endpoint!.last_error !== null }).toEqual({ name, blamed: expected.state === "failed" });
      const [{ slow }] = (await hub.db.query<{ slow: boolean }>("SELECT slow FROM endpoint WHERE id = $1", [
        one.id,
      ])) as [{ slow: boolean }];
      expect({ name, slow }).toEqual({ name, slow: ["hang", "a byte every five seconds"].includes(name) });
    }
    expect(child.peakMemory() - before).toBeLessThan(50 * MIB);
    await child.kill9();
  },
);
