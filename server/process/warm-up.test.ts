import type { RequestListener } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../lib/log";
import { startWarmUp } from "./warm-up";

const PAUSE_MS = 10;

/** Starts to load three pages, and returns which of them were asked for. */
function warmUp(pages: RequestListener) {
  const asked: string[] = [];
  const stop = startWarmUp(
    (request, response) => {
      asked.push(request.url!);
      pages(request, response);
    },
    { log: createLog({ LOG_LEVEL: "silent" }), paths: ["/a", "/b", "/c"], delayMs: 0, pauseMs: PAUSE_MS },
  );
  onTestFinished(stop);
  return { asked, stop };
}

test("asks for one page after another, but for none while the event loop is busy", async () => {
  let running = 0;
  let most = 0;
  const { asked } = warmUp((_request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end();
    });
  });
  for (const end = performance.now() + 10 * PAUSE_MS; performance.now() < end;) await nextTurn();
  expect(asked).toEqual([]);
  await expect.poll(() => asked).toEqual(["/a", "/b", "/c"]);
  expect(most).toBe(1);
});

test("a stop waits for the page that is being loaded, and asks for no other", async () => {
  let finish: (() => void) | undefined;
  const { asked, stop } = warmUp((_request, response) => (finish = () => response.end()));
  await expect.poll(() => finish).toBeDefined();
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await nextTurn();
  expect(isStopped).toBe(false);
  finish!();
  await stopped;
  expect(asked).toEqual(["/a"]);
});
