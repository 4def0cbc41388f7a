import pino from "pino";
import { expect, test } from "vitest";
import { createInngest } from "./client";
import type { HubEvent } from "./events";
import { createPublisher } from "./publisher";

const event = (n: number): HubEvent => ({ name: "generation/queued", data: { id: String(n), account: 1 } });

/** Creates a publisher whose server responds when the test says so. */
function open() {
  const calls: { ids: string[]; answer: (response: Response) => void }[] = [];
  const lines: string[] = [];
  const inngest = createInngest({
    env: { inngest: false },
    fetch: (_, init) => {
      const events = JSON.parse(init!.body as string) as { data: { id: string } }[];
      return new Promise((answer) => calls.push({ ids: events.map(({ data }) => data.id), answer }));
    },
  });
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  return { calls, lines, publisher: createPublisher(inngest, log) };
}
const sent = (count: number) => Response.json({ ids: Array(count).fill("id"), status: 200 });
const called = async (calls: unknown[], count: number) => {
  while (calls.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
};

test("batches events published while two sends are in progress into the next send", async () => {
  const { calls, publisher } = open();
  for (let n = 0; n < 1_700; n += 1) publisher.publish(event(n));
  await called(calls, 2);
  expect(calls.map(({ ids }) => ids.length)).toEqual([500, 500]);
  calls[0]!.answer(sent(500));
  await called(calls, 3);
  calls[1]!.answer(sent(500));
  calls[2]!.answer(sent(500));
  await called(calls, 4);
  let flushed = false;
  const flush = publisher.flush().then(() => (flushed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(flushed).toBe(false);
  calls[3]!.answer(sent(200));
  await flush;
  expect(calls.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 1_700 }, (_, n) => String(n)));
});

/** Responds to all five attempts of one send in the same way. */
async function respondToAttempts(calls: { answer: (response: Response) => void }[], from: number, status: number) {
  for (let n = from; n < from + 5; n += 1) {
    await called(calls, n + 1);
    calls[n]!.answer(Response.json({ ids: [], status, error: "no" }, { status }));
  }
}

test.concurrent("keeps events that the engine cannot accept now and sends them again, with one warning", async () => {
  const isKeptAt = async (status: number) => {
    const { calls, lines, publisher } = open();
    publisher.publish(event(1));
    await respondToAttempts(calls, 0, status);
    await called(calls, 6);
    expect(calls[5]!.ids).toEqual(["1"]);
    calls[5]!.answer(sent(1));
    await publisher.flush();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("they are kept and sent again");
  };
  await Promise.all([500, 503, 401, 403, 404, 408, 429].map(isKeptAt));
});

test.concurrent("drops rejected events with one warning, and sends the next", async () => {
  const { calls, lines, publisher } = open();
  publisher.publish(event(1));
  await respondToAttempts(calls, 0, 400);
  await publisher.flush();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("they are dropped");
  publisher.publish(event(2));
  await called(calls, 6);
  calls[5]!.answer(sent(1));
  await publisher.flush();
  expect(calls[5]!.ids).toEqual(["2"]);
});

test.concurrent("keeps one event per object while the engine is down", async () => {
  const { calls, publisher } = open();
  publisher.publish({ name: "hub/sweep", data: {} });
  await respondToAttempts(calls, 0, 503);
  const delivery = (round: number): HubEvent => ({
    name: "delivery/due",
    data: { generation: null, id: "1", round, lane: "1" },
  });
  const events: HubEvent[] = [event(1), event(2), delivery(1), delivery(2), { name: "hub/sweep", data: {} }];
  events.push({ name: "generation/canceled", data: { id: "1" } });
  for (let n = 0; n < 100; n += 1) for (const event of events) publisher.publish(event);
  await called(calls, 6);
  expect(calls[5]!.ids).toHaveLength(events.length);
  calls[5]!.answer(sent(events.length));
  await publisher.flush();
  expect(calls).toHaveLength(6);
});

test.concurrent("flush does not wait for an engine that is down", async () => {
  const { calls, publisher } = open();
  publisher.publish(event(1));
  const flushed = publisher.flush();
  await respondToAttempts(calls, 0, 503);
  await flushed;
  // Sending again would be a call that nobody answers, for which a flush would wait until it gives up.
  await publisher.flush();
  expect(calls).toHaveLength(5);
});

test("drops the oldest event above the limit, with one warning", async () => {
  const { calls, lines, publisher } = open();
  for (let n = 0; n < 51_010; n += 1) publisher.publish(event(n));
  await called(calls, 2);
  expect(lines).toHaveLength(1);
  expect(calls[0]!.ids[0]).toBe("1010");
});
