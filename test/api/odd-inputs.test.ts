import { expect, test } from "vitest";
import type { z } from "zod";
import { contextOf } from "../../server/context";
import { adminOperations } from "../../server/api/admin/openapi";
import { operations } from "../../server/api/openapi";
import { setHubRole } from "../../server/domain/people/hub-role";
import { createToken } from "../../server/domain/workers/worker";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newProgram } from "../admin/program";
import { buildOddInput, oddValues } from "../hostile/odd-inputs";
import { testOperator } from "../operator";
import { ownerSession, sessionHeaders } from "../session";
import { soakCount } from "../soak";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const unlimited = "1000000";
const host = await openOwnHost({
  RATE_LIMIT_KEYS_PER_MINUTE: unlimited,
  RATE_LIMIT_READS_PER_MINUTE: unlimited,
  RATE_LIMIT_WRITES_PER_MINUTE: unlimited,
  OUTBOUND_ALLOW_HOSTS: "localhost:9",
});
const { hub } = host;
const customer = await newCustomer(hub, { credit: 100 });
await setHubRole(hub, testOperator, customer.email, "operator");
const session = await ownerSession(hub, customer.account);
const headers = await sessionHeaders(hub, customer.account);
const { token } = await createToken(hub, testOperator, "test");
const program = await newProgram(hub);
const bearers: Record<string, string> = { worker: token, operator: program.token };

/** Returns every fifth value, starting at a different one for each operation; under `npm run soak`, all values. */
const pick = <T>(values: T[], at: number): T[] =>
  values.filter((_value, index) => (index + at) % soakCount(5, 1) === 0);

const procedures = Object.entries(
  root._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>,
).flatMap(([name, { _def }]) => (_def.inputs.length > 0 ? [{ name, schema: _def.inputs.at(-1)! }] : []));

test("no odd text, day or number makes a procedure of the console fail, also for an operator", async () => {
  expect(procedures.length).toBeGreaterThan(80);
  const caller = createCallerFactory(root)({
    hub,
    session: contextOf(hub, session.account, session.actor, "odd"),
    address: null,
    isFromOwnPage: true,
  });
  const failed: string[] = [];
  for (const [at, { name, schema }] of procedures.entries())
    for (const values of pick(oddValues, at)) {
      const input = buildOddInput(schema, values);
      const call = name.split(".").reduce<unknown>((on, part) => (on as Record<string, unknown>)[part], caller) as (
        input: unknown,
      ) => Promise<unknown>;
      await call(input).catch((error: { code: string; cause?: unknown }) => {
        if (error.code !== "INTERNAL_SERVER_ERROR" && error.code !== "SERVICE_UNAVAILABLE") return;
        failed.push(`${name} ${JSON.stringify(input).slice(0, 200)}: ${String(error.cause)}`);
      });
    }
  expect(failed).toEqual([]);
});

const segments = ["%00", "%ED%A0%80", "%EF%BC%91", "2147483648", "9".repeat(40), "x".repeat(2_000), "%2e%2e", "-1"];

test("no odd path or query makes a REST operation fail", async () => {
  const failed: string[] = [];
  for (const [at, { method, path, auth, query, name }] of [...operations, ...adminOperations].entries()) {
    const authorized = auth === "session" ? headers : { authorization: `Bearer ${bearers[auth] ?? customer.key}` };
    const call = async (target: string) => {
      // Not with `callApi`, because the path may belong to no operation.
      const { status } = await fetch(host.url + target, { method: method.toUpperCase(), headers: authorized });
      if (status >= 500 && name !== "getReady") failed.push(`${method} ${target.slice(0, 200)}: ${status}`);
    };
    if (path.includes("{"))
      for (const segment of pick(segments, at)) await call(path.replaceAll(/\{\w+\}/g, () => segment));
    for (const values of query ? pick(oddValues, at) : []) {
      const odd = Object.entries(buildOddInput(query!, values) as Record<string, unknown>);
      const fields = odd.map(([member, value]) => [member.toWellFormed(), String(value).toWellFormed()]);
      await call(`${path.replaceAll(/\{\w+\}/g, "1")}?${new URLSearchParams(fields)}`);
      // One at a time, because the first that is rejected hides the others.
      for (const field of fields) await call(`${path.replaceAll(/\{\w+\}/g, "1")}?${new URLSearchParams([field])}`);
    }
  }
  expect(failed).toEqual([]);
});
