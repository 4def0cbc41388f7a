import { beforeAll, expect, test } from "vitest";
import type { Operation } from "../../server/api/operation";
import { operations } from "../../server/api/openapi";
import { sessionHeaders } from "../session";
import { newWorker } from "../workers/test-workers";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { formOf, formType } from "./form";
import { openOwnHost } from "./hosts";

const host = await openOwnHost({ RATE_LIMIT_KEYS_PER_MINUTE: "100000" });
const withBody = operations.filter(({ body, form, upload }) => body ?? form ?? upload);
const credentials: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  const { account, key } = await newCustomer(host.hub);
  const { token } = await newWorker(host.hub);
  credentials.key = credentials["key-or-session"] = { authorization: `Bearer ${key}` };
  credentials.worker = { authorization: `Bearer ${token}` };
  credentials.session = await sessionHeaders(host.hub, account);
});

// The query is read before the content of an output.
const pathOf = ({ path, query }: Operation) => path.replace(/\{\w+\}/g, "1") + (query ? "?fence=1" : "");
const send = (operation: Operation, body: Uint8Array | string | undefined, headers: Record<string, string>) =>
  callApi(host, operation.method.toUpperCase(), pathOf(operation), {
    body,
    headers: { ...credentials[operation.auth], ...headers },
  });
const typeOf = ({ form, upload }: Operation) => (form ? formType : (upload ?? "application/json"));

test.each(withBody.map((operation) => [operation.name, operation] as const))(
  "%s rejects an encoded body with 415, and accepts an identity encoding",
  async (_name, operation) => {
    const body = operation.form ? formOf(Buffer.from("a")) : Buffer.from("{}");
    const headers = { "content-type": typeOf(operation) };
    for (const encoding of ["gzip", "br", "GZIP, identity"]) {
      const rejected = await send(operation, body, { ...headers, "content-encoding": encoding });
      expect([rejected.status, rejected.headers.get("accept-encoding")]).toEqual([415, "identity"]);
      expect(JSON.stringify(rejected.body)).toMatch(/unsupported_media_type.*without compression/);
    }
    const read = await send(operation, body, { ...headers, "content-encoding": "identity" });
    expect(read.status).not.toBe(415);
  },
);

test.each(withBody.flatMap((operation) => (operation.body ? [[operation.name, operation] as const] : [])))(
  "%s reads an absent body as {} if no member is required and it is no PATCH, and otherwise rejects it with 400",
  async (_name, operation) => {
    const acceptsNoMembers = operation.body!.safeParse({}).success;
    const optional = acceptsNoMembers && operation.method !== "patch";
    const json = { "content-type": "application/json" };
    const types: Record<string, string>[] = [{}, json, { "content-type": "text/plain" }];
    for (const type of types) {
      const { status } = await send(operation, undefined, type);
      expect(status === 400).toBe(!optional);
    }
    const { status } = await send(operation, "{}", json);
    expect(status === 400).toBe(!acceptsNoMembers);
  },
);
