import { environmentManager, isServer, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MAX_QUIET_POLL_MS, pollUnlessQuiet, readWhileQuiet } from "./quiet-page";

beforeAll(() => {
  vi.useFakeTimers();
  // Servers do not poll.
  environmentManager.setIsServer(() => false);
});
afterAll(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => isServer);
});

const page = new EventTarget();
const touch = () => page.dispatchEvent(new Event("pointermove"));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

test("a page that nobody touches reads less and less until something is new, and at once when somebody returns", async () => {
  const client = new QueryClient();
  let [reads, data] = [0, "old"];
  const queryFn = () => {
    reads += 1;
    return Promise.resolve(data);
  };
  const observer = new QueryObserver(client, {
    queryKey: ["balance"],
    queryFn,
    refetchInterval: () => pollUnlessQuiet(5_000),
  });
  const countReads = async (during: number) => {
    const before = reads;
    await seconds(during);
    return reads - before;
  };
  const stops = [readWhileQuiet(client, page)];
  // The module may have been loaded long before by another test, so that the page is quiet.
  touch();
  stops.push(observer.subscribe(() => undefined));
  expect(await countReads(57)).toBe(11);
  await seconds(1_200);
  const maxPause = MAX_QUIET_POLL_MS / 1_000;
  expect(await countReads(10 * maxPause)).toBe(10);
  data = "new";
  while (observer.getCurrentResult().data !== "new") await seconds(1);
  expect(await countReads(30)).toBeGreaterThanOrEqual(1);
  await seconds(600);
  const before = reads;
  touch();
  expect(reads).toBe(before + 1);
  expect(await countReads(51)).toBe(10);
  for (const stop of stops) stop();
});
