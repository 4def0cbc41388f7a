import { expect, test } from "vitest";
import { openOwnHost } from "../api/hosts";
import { newCustomer } from "../api/customer";
import { callAdmin, newProgram } from "./program";

test("each token has its own limits; failed attempts count by network, and do not stop a valid token", async () => {
  const host = await openOwnHost({
    RATE_LIMIT_READS_PER_MINUTE: "3",
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "2",
  });
  const unfreeze = host.hub.clock.freeze();
  const [first, second] = [await newProgram(host.hub), await newProgram(host.hub)];
  const read = (program = first) => callAdmin(host, program, "GET", "providers");
  const statuses = [await read(), await read(), await read(), await read(), await read(second)].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
  const { headers } = await read();
  host.hub.clock.advance(Number(headers.get("retry-after")) * 1_000);
  expect((await read()).status).toBe(200);

  const { key } = await newCustomer(host.hub);
  const wrong = { ...first, token: key };
  expect([await read(wrong), await read(wrong), await read(wrong)].map(({ status }) => status)).toEqual([
    401, 401, 429,
  ]);
  expect((await read(second)).status).toBe(200);
  unfreeze();
});
