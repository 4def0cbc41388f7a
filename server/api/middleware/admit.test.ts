import { expect, test } from "vitest";
import { newCustomer } from "../../../test/api/customer";
import { testHub } from "../../../test/hub";
import { findKey } from "../../domain/credentials/authenticate";
import { newSecret } from "../../domain/credentials/secret";
import type { RequestContext } from "../request-context";
import { admitRequest } from "./rate-limit";

const hub = await testHub();

test("shares places by key, and by network for keys that nobody has", async () => {
  const callers: string[] = [];
  const admit = (caller: string) => {
    callers.push(caller);
    return () => undefined;
  };
  Object.assign(hub.services.admission, { read: { admit } });
  const send = (authorization: string, address: string | null) =>
    admitRequest(
      { hub, address } as unknown as RequestContext,
      new Request("http://hub.test", { headers: { authorization } }),
      {
        auth: "key",
        cost: "read",
      },
    );
  const { key } = await newCustomer(hub);
  await findKey(hub, key);
  send(`Bearer ${key}`, "192.0.2.1");
  for (const secret of [newSecret(), newSecret(), "x"]) send(`Bearer ${secret}`, "2001:db8:0:1::5");
  send("Basic x", null);
  expect(new Set(callers)).toEqual(new Set([`Bearer ${key}`, "8193:3512:0:1", "unknown"]));
});
