import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { newFollower } from "../../../test/webhooks/follower";
import { openReceiver } from "../../../test/webhooks/receiver";
import { attemptDelivery } from "./attempt";
import { listEndpoints } from "./list";
import { listDeliveries } from "./find-deliveries";
import { revokeEndpoint } from "./revoke";
import { rotateSecret } from "./rotate-secret";
import { purgeEvents, redispatchDeliveries } from "./redispatch-deliveries";

const DAY_MS = 86_400_000;
const receiver = await openReceiver();

test("a nudge is repeated once a minute for as long as nothing happens, and no more", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const follower = await newFollower(hub);
  await follower.register(receiver.url);
  await follower.cancel(await follower.queue());
  const [nudge] = hub.published.splice(0);
  expect(nudge).toMatchObject({ name: "delivery/due", data: { round: 1 } });
  expect(await redispatchDeliveries(hub)).toBe(0);
  for (let minute = 0; minute < 3; minute += 1) {
    hub.clock.advance(61_000);
    expect(await redispatchDeliveries(hub)).toBe(1);
    expect(await redispatchDeliveries(hub)).toBe(0);
    expect(hub.published.splice(0)).toEqual([nudge]);
  }
  await attemptDelivery(hub, nudge!.data as Parameters<typeof attemptDelivery>[1]);
  hub.clock.advance(DAY_MS);
  expect(await redispatchDeliveries(hub)).toBe(0);
});

test("a start tells at once of all that is due, but not of what waits for its next attempt", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const follower = await newFollower(hub);
  await follower.register(receiver.url);
  await follower.cancel(await follower.queue());
  const [nudge] = hub.published.splice(0);
  expect(await redispatchDeliveries(hub, true)).toBe(1);
  expect(hub.published.splice(0)).toEqual([nudge]);
  receiver.answer = (response) => void response.writeHead(500).end();
  await attemptDelivery(hub, nudge!.data as Parameters<typeof attemptDelivery>[1]);
  expect(await redispatchDeliveries(hub, true)).toBe(0);
  receiver.answer = (response) => void response.writeHead(204).end();
});

test("events and revoked endpoints go after thirty days, but not what is pending or active", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const follower = await newFollower(hub);
  const active = await follower.register(receiver.url);
  const revoked = await follower.register(receiver.url);
  await follower.cancel(await follower.queue());
  await revokeEndpoint(follower.ctx, revoked.id);
  const count = async () =>
    (
      await hub.db.query(
        "SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM delivery)::int AS deliveries",
      )
    )[0];
  hub.clock.advance(31 * DAY_MS);
  expect(await purgeEvents(hub, 100)).toBe(0);
  expect(await count()).toEqual({ events: 1, deliveries: 2 });

  const [due] = hub.published.filter(({ data }) => "lane" in data && data.lane.startsWith(active.id));
  await attemptDelivery(hub, due!.data as Parameters<typeof attemptDelivery>[1]);
  await follower.cancel(await follower.queue());
  expect(await purgeEvents(hub, 100)).toBe(2);
  expect(await count()).toEqual({ events: 1, deliveries: 1 });
  expect((await listEndpoints(follower.ctx)).map(({ id }) => id)).toEqual([active.id]);
});

test("secrets of another HUB_SECRET stop nothing else: the delivery waits, and a rotation mends it", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url);
  await follower.cancel(await follower.queue());
  const nudge = hub.published[0]!.data as Parameters<typeof attemptDelivery>[1];
  const other = { ...hub, secret: "another secret of thirty-two characters" };
  const before = receiver.received.length;
  expect(await attemptDelivery(other, nudge)).toMatchObject({ next: "wait" });
  expect(receiver.received).toHaveLength(before);
  const [delivery] = (await listDeliveries(follower.ctx, id, { limit: 1 })).data;
  expect(delivery!.tries[0]).toMatchObject({ status: null, error: expect.stringMatching(/[Rr]otate/) as string });

  await rotateSecret({ ...follower.ctx, ...other, hub: other }, id);
  hub.clock.advance(30_000);
  // The old secret, which it cannot read either, must not stand in the way of the new one.
  expect(await attemptDelivery(other, nudge)).toEqual({ next: "end", state: "succeeded" });
  expect(receiver.received).toHaveLength(before + 1);
});
