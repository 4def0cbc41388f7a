import pino from "pino";
import { expect, test } from "vitest";
import { createInngest } from "./client";
import type { HubEvent } from "./events";
import { createPublisher } from "./publisher";

const event = (n: number): HubEvent => ({ name: "generation/queued", data: { id: String(n), account: 1 } });

/** A publisher whose far end answers when told to. */
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

test("what is published while two sends are under way goes together into the next", async () => {
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

test("what cannot be sent is given up with a warning, and the next is sent", async () => {
  const { calls, lines, publisher } = open();
  publisher.publish(event(1));
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await called(calls, attempt);
    calls[attempt - 1]!.answer(Response.json({ status: 500, error: "away" }, { status: 500 }));
  }
  await publisher.flush();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("the sweep will repeat them");
  publisher.publish(event(2));
  await called(calls, 6);
  calls[5]!.answer(sent(1));
  await publisher.flush();
  expect(calls[5]!.ids).toEqual(["2"]);
});

test("what waits is bounded: the oldest goes, with one warning", async () => {
  const { calls, lines, publisher } = open();
  for (let n = 0; n < 51_010; n += 1) publisher.publish(event(n));
  await called(calls, 2);
  expect(lines).toHaveLength(1);
  expect(calls[0]!.ids[0]).toBe("1010");
});
