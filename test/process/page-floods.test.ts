import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { afterAll, expect, test, vi } from "vitest";
import { startHub } from "../../e2e/server";
import { soakCount } from "../soak";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const hub = await startHub();
const agent = new Agent({ keepAlive: true });
afterAll(() => {
  agent.destroy();
  return hub.stop();
});

const CLIENTS = 16;
const COUNT = soakCount(48, 2_000);

/** Returns the status of a page, read to its end. */
const read = (path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    const { port } = new URL(hub.url);
    get({ port, host: "127.0.0.1", path, headers, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode!));
    }).on("error", reject);
  });

/** Returns the processor time that the hub's event loop has used, in milliseconds. */
const readLoopMs = () => {
  const task = `/proc/${hub.child.pid}/task/${hub.child.pid}/schedstat`;
  return process.platform === "linux" ? Number(readFileSync(task, "utf8").split(" ")[0]) / 1e6 : 0;
};

test.each([
  ["/", 200],
  ["/docs", 200],
  ["/docs/api/schemas", 200],
  ["/sign-in", 200],
  ["/nothing", 404],
  ["/api/nothing", 404],
  ["/icon.svg?version", 200],
])("%s is rendered once", async (path, status) => {
  expect(await read(path)).toBe(status);
  const before = readLoopMs();
  for (let sent = 0; sent < COUNT; sent += CLIENTS) {
    const statuses = await Promise.all(Array.from({ length: CLIENTS }, () => read(path)));
    expect(new Set(statuses)).toEqual(new Set([status]));
  }
  // To render one takes 10 to 70 ms.
  expect((readLoopMs() - before) / COUNT).toBeLessThan(5);
});

test("a customer's request overtakes pages that wait to be rendered", async () => {
  let rendered = 0;
  let isDone = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isDone) {
      expect(await read("/sign-in?next=/keys")).toBe(200);
      rendered += 1;
    }
  });
  const passed: number[] = [];
  for (let n = 0; n < soakCount(7, 300); n += 1) {
    const before = rendered;
    await expect.poll(() => rendered, { interval: 1 }).toBeGreaterThan(before);
    const begun = rendered;
    expect(await read("/api/v1/me", { authorization: `Bearer ${hub.key}` })).toBe(200);
    passed.push(rendered - begun);
  }
  isDone = true;
  await Promise.all(clients);
  // Without the queue, 5 to 16 pages come first.
  expect(passed.sort((a, b) => a - b)[passed.length >> 1]).toBeLessThanOrEqual(2);
});

test("one network may not have more than 32 pages wait", async () => {
  const own = new Agent();
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    const { port } = new URL(hub.url);
    get({ port, host: "127.0.0.1", path: "/sign-in?next=/keys", agent: own }, (response) => {
      statuses.push(response.resume().statusCode!);
    }).on("error", () => undefined);
  }
  await expect.poll(() => statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  // Requests of clients that have left are dropped when their turn comes.
  own.destroy();
  await expect.poll(() => read("/sign-in?next=/keys")).toBe(200);
});
