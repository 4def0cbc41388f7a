import { expect, test } from "vitest";
import { encodeEvent, openEventSink } from "./event-sink";

function open() {
  let ends = 0;
  const sink = openEventSink({ beatMs: 60_000, onBeat: () => undefined, onEnd: () => (ends += 1) });
  return { sink, ends: () => ends };
}

const large = encodeEvent("generation", "x".repeat(600_000));

test("cuts a reader that is too far behind", async () => {
  const { sink, ends } = open();
  for (let n = 1; n <= 5; n += 1) sink.send(String(n), large);
  expect([sink.isOpen(), ends()]).toEqual([false, 1]);
  await expect(new Response(sink.body).text()).rejects.toThrow("too slow");
});

test("a reader that keeps up gets everything, and the end", async () => {
  const { sink, ends } = open();
  const text = new Response(sink.body).text();
  for (let n = 1; n <= 5; n += 1) {
    await sink.drained();
    sink.send(String(n), large);
  }
  sink.end();
  expect((await text).match(/^id: \d/gm)).toEqual(["id: 1", "id: 2", "id: 3", "id: 4", "id: 5"]);
  expect(ends()).toBe(1);
});

test("ends once, when the reader leaves", async () => {
  const { sink, ends } = open();
  await sink.body.cancel();
  sink.end();
  sink.send("1", large);
  expect([sink.isOpen(), ends()]).toEqual([false, 1]);
});
