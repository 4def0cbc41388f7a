import { expect, test } from "vitest";
import { generatePorts } from "./reserve-port";

test("no two processes get the same port, nor one that a hub may choose for its Postgres", async () => {
  // The system keeps the claims, so that two generators of one process are as apart as those of two processes.
  const generators = [generatePorts(), generatePorts()];
  // More ports for each generator than one block contains.
  const taken = Array.from({ length: 240 }, (_, index) => generators[index % 2]!.next());
  const ports = (await Promise.all(taken)).map(({ value }) => value);
  expect(new Set(ports).size).toBe(ports.length);
  for (const port of ports) expect(port).toBeLessThan(20_000);
});
