import { expect, test } from "vitest";
import { type Delivery, listDeliveries } from "../../server/domain/deliveries/delivery";
import { listEndpoints } from "../../server/domain/endpoints/endpoint";
import { newWebhookAccount } from "./webhook-account";
import { forkHub } from "./fork-hub";
import { openReceiverMatrix } from "./receiver-matrix";
import { hubWithoutEngine } from "./hub-without-engine";
import { openReceiver } from "./receiver";
import { soakCount } from "../soak";

const EACH = soakCount(3, 8);
const MIB = 1024 * 1024;

test(
  "every kind of receiver gets the specified result, in bounded memory, without delaying others",
  { timeout: 120_000 },
  async () => {
    const matrix = await openReceiverMatrix();
    const healthy = await Promise.all(Array.from({ length: 4 }, () => openReceiver()));
    const hosts = [...Object.values(matrix), ...healthy].map(({ host }) => host);
    // Only the first attempts count; the second ones are an hour later, however slow the machine.
    const settings = { OUTBOUND_ALLOW_HOSTS: hosts.join(","), WEBHOOK_RETRY_DELAYS_SECONDS: "3600" };
    const hub = await hubWithoutEngine(settings);
    const child = await forkHub(hub, settings);
    const bystander = await newWebhookAccount(hub);
    for (const { url } of healthy) await bystander.createWebhook(url, ["generation.completed"]);
    const emitToHealthy = async () => {
      for (let n = 0; n < 10; n += 1) await bystander.cancel(await bystander.queueGeneration());
    };
    const arrived = (count: number) =>
      expect.poll(() => healthy.map(({ received }) => received.length)).toEqual(Array(4).fill(count));
    await emitToHealthy();
    await arrived(10);
    const before = child.peakMemory();

    const cases = await Promise.all(
      Object.entries(matrix).map(async ([name, expected]) => {
        const webhookAccount = await newWebhookAccount(hub);
        const { id } = await webhookAccount.createWebhook(expected.url, ["generation.completed"]);
        return { name, expected, webhookAccount, id };
      }),
    );
    await Promise.all(
      cases.flatMap(({ webhookAccount }) =>
        Array.from({ length: EACH }, async () => webhookAccount.cancel(await webhookAccount.queueGeneration())),
      ),
    );
    const deliveriesOf = async ({ webhookAccount, id }: (typeof cases)[number]): Promise<Delivery[]> =>
      (await listDeliveries(webhookAccount.ctx, id, { limit: 100 })).data;
    const countAttempted = async (one: (typeof cases)[number]) =>
      (await deliveriesOf(one)).filter(({ attempts }) => attempts.length > 0).length;
    await emitToHealthy();
    await arrived(20);
    // No hanging attempt has timed out so far.
    expect(await countAttempted(cases.find(({ name }) => name === "hang")!)).toBe(0);

    for (const one of cases) {
      const { name, expected } = one;
      await expect.poll(() => countAttempted(one), { timeout: 60_000, interval: 200 }).toBe(EACH);
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
      const [endpoint] = await listEndpoints(one.webhookAccount.ctx);
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
