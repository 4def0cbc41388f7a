import { expect, test } from "vitest";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import { openReceiver } from "../../../test/webhooks/receiver";
import type { Hub } from "../hub";
import { openDb } from "../../db/client";
import { storeOutput } from "../files/store-output";
import { finishGeneration } from "../generations/end/finish";
import { getStoredGeneration } from "../generations/read/get";
import { serializeGeneration } from "../generations/read/serialize-generation";
import { type EventRow, renderEvent } from "./render";

const receiver = await openReceiver();
const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host, BASE_URL: "https://hub.example" });
// A hub that renders different text, like a later version.
const later: Hub = deriveHub(hub, { env: { ...hub.env, BASE_URL: "https://elsewhere.example" } });

const eventsOf = (generation: string) =>
  hub.db.query<EventRow>("SELECT n, snapshot, data FROM event WHERE generation_id = $1 ORDER BY n", [generation]);

async function succeedWithOutput() {
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receiver.url);
  const id = await webhookAccount.queueGeneration({
    prompt: 'ünï \\ " \u2028 🌲',
    numbers: [0.1, 1e-9, -3, 12345678901234],
  });
  await webhookAccount.markRunning(id);
  const content = (async function* () {
    yield Buffer.from("picture");
  })();
  const outputPlace = { generationId: id, accountId: webhookAccount.ctx.account.id, index: 0 };
  await storeOutput(hub, outputPlace, { mediaType: "image/png", content });
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded", outputs: 1 });
  return { id, serialized: serializeGeneration(hub, await getStoredGeneration(webhookAccount.ctx, id)) };
}

test("an event has the API's representation at its time, including outputs", async () => {
  const { id, serialized } = await succeedWithOutput();
  const [, completed] = await eventsOf(id);
  expect(serialized.outputs).toHaveLength(1);
  expect(await renderEvent(hub, completed!)).toBe(JSON.stringify(serialized));
});

test("uses the text that was stored first", async () => {
  const { id } = await succeedWithOutput();
  const [, unwritten] = await eventsOf(id);
  expect(unwritten).toMatchObject({ data: null, snapshot: { id } });
  const first = await renderEvent(hub, unwritten!);
  expect(first).toContain("https://hub.example/");
  expect(await renderEvent(later, unwritten!)).toBe(first);
  const [, written] = await eventsOf(id);
  expect(written).toEqual({ n: unwritten!.n, snapshot: null, data: first });
});

test("concurrent renderings in several processes return the same text", async () => {
  const other = openDb(hub.databaseUrl, 5);
  try {
    const made = await Promise.all(Array.from({ length: 10 }, succeedWithOutput));
    const events = (await Promise.all(made.map(({ id }) => eventsOf(id)))).flat();
    const hubs: Hub[] = [hub, deriveHub(later, { db: other }), later, deriveHub(hub, { db: other })];
    const texts = await Promise.all(
      hubs.map((one, index) =>
        Promise.all((index % 2 ? events : events.toReversed()).map((event) => renderEvent(one, event))),
      ),
    );
    for (const [index, theirs] of texts.entries()) {
      expect(index % 2 ? theirs : theirs.toReversed()).toEqual(texts[1]);
    }
  } finally {
    await other.close();
  }
});
