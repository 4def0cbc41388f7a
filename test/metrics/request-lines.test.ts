import { beforeEach, expect, test, vi } from "vitest";
import { createLog } from "../../server/lib/log";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { WAIT } from "../wait";

const host = await openOwnHost({ LOG_REQUESTS: "on" });
let lines: Record<string, unknown>[] = [];
const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
host.hub.log = createLog({ LOG_LEVEL: "info" }, undefined, { write });
const customer = await newCustomer(host.hub);
beforeEach(() => {
  lines = [];
});
const waitForLine = () => vi.waitFor(() => expect(lines).toHaveLength(1), WAIT).then(() => lines[0]!);

test("a request is one line, with what it was and how it ended", async () => {
  const { headers } = await callApi(host, "GET", "/api/v1/me", { key: customer.key });
  expect(await waitForLine()).toEqual({
    level: 30,
    time: expect.any(String) as string,
    requestId: headers.get("x-request-id"),
    operation: "getAccount",
    method: "GET",
    status: 200,
    durationMs: expect.any(Number) as number,
    account: customer.account,
    msg: "request",
  });
});

test("no line has a key, a query, a path or a prompt", async () => {
  const { key } = customer;
  const input = { model: "sandbox-image", input: { prompt: "a private lighthouse" } };
  await callApi(host, "POST", "/api/v1/hub/generations", { key, body: input });
  await fetch(`${host.url}/api/v1/hub/files/none?signature=abcdef012345&expires=9`);
  await fetch(`${host.url}/api/v1/private-path`, { headers: { authorization: `Bearer ${key}` } });
  await vi.waitFor(() => expect(lines).toHaveLength(3), WAIT);
  const text = JSON.stringify(lines);
  for (const secret of [key, key.slice(-12), "lighthouse", "abcdef012345", "private-path", "Bearer"])
    expect(text).not.toContain(secret);
  expect(lines.map(({ operation, status }) => [operation, status])).toEqual([
    ["createGeneration", 202],
    ["getFile", 401],
    ["_OTHER", 404],
  ]);
});

test("a rejected request has no account", async () => {
  await callApi(host, "GET", "/api/v1/me", { key: "service_sk_wrong" });
  expect(await waitForLine()).not.toHaveProperty("account");
});

test("a client that leaves before its response is 499", async () => {
  const leave = new AbortController();
  const { db } = host.hub;
  const query = db.query.bind(db);
  let answer = () => undefined as void;
  // The client leaves while the statement of its request waits.
  db.query = async (text, values) => {
    leave.abort();
    await new Promise<void>((resolve) => (answer = resolve));
    return query(text, values);
  };
  const headers = { authorization: `Bearer ${customer.key}` };
  await expect(fetch(`${host.url}/api/v1/me`, { headers, signal: leave.signal })).rejects.toThrow("aborted");
  expect(await waitForLine()).toMatchObject({ operation: "getAccount", status: 499 });
  db.query = query;
  answer();
});

test("what a caller passes by mistake is redacted", () => {
  const secrets = { authorization: "a", cookie: "b", password: "c", secret: "d", token: "e", apiKey: "f", prompt: "g" };
  host.hub.log.warn({ ...secrets, headers: secrets, kept: 1 }, "mistake");
  const redacted = Object.fromEntries(Object.keys(secrets).map((name) => [name, "[redacted]"]));
  expect(lines[0]).toMatchObject({ ...redacted, headers: redacted, kept: 1 });
});
