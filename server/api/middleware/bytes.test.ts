import { expect, onTestFinished, test, vi } from "vitest";
import { createByteBudget } from "../../lib/byte-budget";
import { type Pace, readBytes } from "./bytes";

const PACE: Pace = { maxMs: 10_000, windowMs: 20, minBytes: 1_000 };
const LARGE = 200_000;

/** Reads a body whose chunks come from `pull`. */
function read(pull: (controller: ReadableByteStreamController) => void | Promise<void>, headers = {}, pace = PACE) {
  const body = new ReadableStream({ type: "bytes", pull });
  const request = new Request("http://hub.test", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  return readBytes(request, LARGE, createByteBudget(10 * LARGE).open("a"), undefined, pace);
}

const tooSlow = { status: 400, message: "body: arrives too slowly" };

test("a body that stops arriving is rejected", async () => {
  let sent = 0;
  const stop = (controller: ReadableByteStreamController) => {
    if (sent > 0) return new Promise<void>(() => undefined);
    sent += 1;
    controller.enqueue(new Uint8Array(100_000));
  };
  await expect(read(stop)).rejects.toMatchObject(tooSlow);
  await expect(read(() => new Promise(() => undefined), { "content-length": "100" })).rejects.toMatchObject(tooSlow);
});

test("a body that drips is rejected", async () => {
  const drip = async (controller: ReadableByteStreamController) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    controller.enqueue(new Uint8Array(1));
  };
  await expect(read(drip)).rejects.toMatchObject(tooSlow);
});

test("a body that keeps its pace is read until its time is over", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const send = (chunks: number) => {
    let left = chunks;
    return (controller: ReadableByteStreamController) => {
      vi.advanceTimersByTime(5);
      controller.enqueue(new Uint8Array(1_000));
      if ((left -= 1) === 0) controller.close();
    };
  };
  expect((await read(send(20))).byteLength).toBe(20_000);
  await expect(read(send(1_000), {}, { ...PACE, maxMs: 30 })).rejects.toMatchObject(tooSlow);
});
