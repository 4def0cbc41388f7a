import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "./free-port";

/** Listens on a port of loopback until the test ends. */
async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

test("is below the ports that a system gives to connections", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
  // Random, so that processes that choose at the same time do not choose the same one.
  expect(new Set(ports).size).toBeGreaterThan(40);
});

test("passes over ports that are in use, and throws when all are", async () => {
  const min = await findFreePort({ min: 20_000, max: 32_766 });
  const max = min + 1;
  await occupy(min);
  expect(await findFreePort({ min, max })).toBe(max);
  await occupy(max);
  await expect(findFreePort({ min, max })).rejects.toThrow(`No free port between ${min} and ${max} was found.`);
});
