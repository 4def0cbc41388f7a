import { expect, test, vi } from "vitest";
import { StorageUnavailable } from "./is-unavailable";
import { createLog } from "./log";

test("an outage is one line a second for each message, with a count; other errors are a line each", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const lines: { msg: string; requestId?: number; repeated?: number }[] = [];
    const log = createLog({ LOG_LEVEL: "info" }, undefined, { write: (line) => lines.push(JSON.parse(line) as never) });
    const full = new StorageUnavailable("The storage is full.");
    const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const take = () => lines.splice(0).map(({ msg, requestId, repeated }) => [msg, requestId, repeated]);
    for (const requestId of [1, 2, 3]) {
      log.error({ err: new Error("unavailable", { cause: full }), requestId }, "no room");
      log.child({}).error({ err: away, requestId }, "away");
      log.error({ err: new Error("a bug"), requestId }, "failed");
    }
    const failed = [1, 2, 3].map((requestId) => ["failed", requestId, undefined]);
    expect(take()).toEqual([["no room", 1, undefined], ["away", 1, undefined], ...failed]);
    vi.advanceTimersByTime(1_000);
    expect(take()).toEqual([
      ["no room", 3, 2],
      ["away", 3, 2],
    ]);
    log.error({ err: full, requestId: 4 }, "no room");
    expect(take()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(take()).toEqual([["no room", 4, 1]]);
    vi.advanceTimersByTime(2_000);
    log.error({ err: full, requestId: 5 }, "no room");
    expect(take()).toEqual([["no room", 5, undefined]]);
  } finally {
    vi.useRealTimers();
  }
});
