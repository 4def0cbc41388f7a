import { createServer } from "node:net";
import { expect, test } from "vitest";
import { attemptDelivery } from "../../server/domain/deliveries/attempt";
import { listDeliveries } from "../../server/domain/deliveries/delivery";
import { checkUrl, createSafeFetch } from "../../server/lib/safe-fetch";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { newWebhookAccount } from "./webhook-account";
import { openNameServer } from "./name-server";
import { listenOnLoopback } from "../loopback";
import { openReceiver } from "./receiver";

const PRIVATE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "192.168.1.1"];

test("never connects to a name that was public at creation and is private at delivery", async () => {
  let connections = 0;
  const port = await listenOnLoopback(createServer((socket) => void ((connections += 1), socket.destroy())));
  let lookups = 0;
  const { lookup } = await openNameServer(() =>
    (lookups += 1) === 1 ? "93.184.215.14" : PRIVATE[lookups % PRIVATE.length]!,
  );
  const url = `https://rebind.example:${port}/hook`;
  await checkUrl(url, { schemes: ["https:"], allowHosts: [], lookup });
  expect(lookups).toBe(1);

  const receiver = await openReceiver();
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url);
  await hub.db.query("UPDATE endpoint SET url = $2 WHERE id = $1", [id, url]);
  const rebound = deriveHub(hub, { fetch: createSafeFetch({ allowHosts: [], lookup }) });
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  const dispatch = hub.published[0]!.data as Parameters<typeof attemptDelivery>[1];
  for (let n = 0; n < PRIVATE.length; n += 1) {
    expect(await attemptDelivery(rebound, dispatch)).toMatchObject({ next: "wait" });
    hub.clock.advance(30 * 86_400_000);
  }
  const [delivery] = (await listDeliveries(webhookAccount.ctx, id, { limit: 1 })).data;
  expect(delivery!.attempts.map(({ error }) => error)).toEqual(
    PRIVATE.map(() => "The URL is not on the public internet."),
  );
  expect(lookups).toBe(1 + PRIVATE.length);
  expect(connections).toBe(0);
});
