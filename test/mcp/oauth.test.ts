import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST } from "@/app/api/trpc/[trpc]/route";
import { shareHub } from "@/server/share-hub";
import {
  type AuthorizationRequest,
  isRejected,
  readAuthorization,
} from "../../server/domain/connections/authorization-request";
import { allowConnection, denyConnection, encryptQuestion } from "../../server/domain/connections/consent";
import { endConnection, listConnections, serializeConnection } from "../../server/domain/connections/connection";
import { purgeUnusedCodes } from "../../server/domain/connections/exchange-code";
import { registerClient } from "../../server/domain/connections/client";
import { runAudit } from "../../server/domain/audit/audit";
import { newId } from "../../server/lib/id";
import { alterEnd } from "../alter-end";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { newSession, sessionCookie } from "../session";
import { openReceiver } from "../webhooks/receiver";
import { connectApp, newPkce, REDIRECT_URI } from "./connect-app";
import { ownerSession } from "../session";

const metadata = await openReceiver();
const host = await openOwnHost({ OUTBOUND_ALLOW_HOSTS: metadata.host, RATE_LIMIT_KEYS_PER_MINUTE: "100000" });
const { hub, url } = host;
const customer = await newCustomer(hub);
const ctx = await ownerSession(hub, customer.account);
const client = registerClient(hub, { redirect_uris: [REDIRECT_URI], client_name: "Agent" });
beforeAll(() => shareHub(hub));
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const queryOf = (changes: Record<string, string | string[] | undefined> = {}) => ({
  response_type: "code",
  client_id: client.id,
  redirect_uri: REDIRECT_URI,
  code_challenge: newPkce().challenge,
  code_challenge_method: "S256",
  state: "a state",
  resource: "https://hub.test/mcp",
  ...changes,
});

interface Answer {
  status: number;
  json: Record<string, unknown>;
}

async function post(path: string, body: URLSearchParams | string, type?: string): Promise<Answer> {
  const reply = await fetch(url + path, { method: "POST", body, ...(type && { headers: { "content-type": type } }) });
  expect(reply.headers.get("cache-control")).toBe("no-store");
  return { status: reply.status, json: (await reply.json()) as Record<string, unknown> };
}

const callMcp = async (key: string) =>
  (await fetch(`${url}/mcp`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: "{}" })).status;

/** Allows a connection, and returns what its client sends for the code. */
async function allow(spend_limit = 1) {
  const { verifier, challenge } = newPkce();
  const request = (await readAuthorization(hub, queryOf({ code_challenge: challenge }))) as AuthorizationRequest;
  const { redirect_to } = await allowConnection(ctx, { question: encryptQuestion(ctx, request), spend_limit });
  const answer = new URL(redirect_to).searchParams;
  expect(answer.get("state")).toBe("a state");
  expect(answer.get("iss")).toBe("https://hub.test");
  return {
    grant_type: "authorization_code",
    code: answer.get("code")!,
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    resource: "https://hub.test/mcp",
  };
}
const exchange = (fields: Record<string, string>) => post("/oauth/token", new URLSearchParams(fields));

describe("discovery", () => {
  test("a 401 of /mcp leads to the documents, which pages of any origin may read", async () => {
    for (const [headers, challenge] of [
      [{}, /^Bearer resource_metadata="(https:[^"]+)", scope="mcp"$/],
      [{ authorization: "Bearer x" }, /^Bearer error="invalid_token", resource_metadata="(https:[^"]+)", scope="mcp"$/],
    ] as const) {
      const reply = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: { ...headers, origin: "https://app.example" },
      });
      expect(reply.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
      const address = challenge.exec(reply.headers.get("www-authenticate")!)![1]!;
      expect(address).toBe("https://hub.test/.well-known/oauth-protected-resource/mcp");
    }
    const get = async (path: string) => {
      const reply = await fetch(url + path);
      expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      return (await reply.json()) as Record<string, unknown>;
    };
    const resource = await get("/.well-known/oauth-protected-resource/mcp");
    expect(resource).toEqual(await get("/.well-known/oauth-protected-resource"));
    expect(resource).toMatchObject({
      resource: "https://hub.test/mcp",
      authorization_servers: ["https://hub.test"],
    });
    expect(await get("/.well-known/oauth-authorization-server")).toMatchObject({
      issuer: "https://hub.test",
      authorization_endpoint: "https://hub.test/oauth/authorize",
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code"],
      client_id_metadata_document_supported: true,
    });
  });
});

describe("registration", () => {
  const register = (body: unknown) => post("/oauth/register", JSON.stringify(body), "application/json");

  test("returns an id that works, and stores nothing", async () => {
    const { status, json } = await register({
      redirect_uris: [REDIRECT_URI],
      client_name: "A\u202egent\n  X",
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ client_name: "A gent X", token_endpoint_auth_method: "none" });
    expect(json).not.toHaveProperty("client_secret");
    const request = await readAuthorization(hub, queryOf({ client_id: json.client_id as string }));
    expect(request).toMatchObject({ client: { name: "A gent X", host: null }, redirectUri: REDIRECT_URI });
  });

  test.each<[string, unknown, string]>([
    ["no address", {}, "invalid_redirect_uri"],
    ["no list", { redirect_uris: "https://agent.example" }, "invalid_redirect_uri"],
    ["too many addresses", { redirect_uris: Array(11).fill(REDIRECT_URI) }, "invalid_redirect_uri"],
    ["addresses that are too long together", { redirect_uris: Array(5).fill(`https://a.example/${"a".repeat(900)}`) }, "invalid_redirect_uri"], // prettier-ignore
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["plain http", { redirect_uris: ["http://127.0.0.1.evil.example/"] }, "invalid_redirect_uri"],
    ["a number as name", { redirect_uris: [REDIRECT_URI], client_name: 1 }, "invalid_client_metadata"],
    ["null", null, "invalid_client_metadata"],
  ])("rejects %s", async (_case, body, error) => {
    const answer = await register(body);
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringMatching(error) as string } });
  });

  test("rejects what is no JSON or too large", async () => {
    expect(await post("/oauth/register", "{")).toMatchObject({
      status: 400,
      json: { error: "invalid_client_metadata" },
    });
    expect(await post("/oauth/register", "x".repeat(40_000))).toMatchObject({ status: 413 });
  });

  test.each([
    ["another hub's", (id: string) => `${id.slice(0, -3)}AAA`],
    ["changed", (id: string) => id.replace("app_", "app_eyJ")],
    ["unknown", () => "agent"],
    ["too long", (id: string) => id + "A".repeat(5_000)],
  ])("a client_id that is %s is rejected without a redirect", async (_case, change) => {
    expect(await readAuthorization(hub, queryOf({ client_id: change(client.id) }))).toMatchObject({ returnUrl: null });
  });
});

describe("client metadata documents", () => {
  const id = `https://${metadata.host}/client.json`;
  const document = { client_id: id, client_name: "Claude", redirect_uris: ["https://agent.example/cb", REDIRECT_URI] };
  const read = (changes: object = {}) => readAuthorization(hub, { ...queryOf({ client_id: id }), ...changes });
  const answerWith = (respond: (response: ServerResponse) => unknown) => {
    metadata.respond = (response) => void respond(response);
  };

  test("name the client and its redirect URIs", async () => {
    answerWith((response) => response.end(JSON.stringify(document)));
    expect(await read()).toMatchObject({ client: { id, name: "Claude", host: metadata.host } });
    expect(await read({ redirect_uri: "http://127.0.0.1:9/callback" })).toMatchObject({ redirectUri: "http://127.0.0.1:9/callback" }); // prettier-ignore
    expect(await read({ redirect_uri: "https://agent.example/other" })).toMatchObject({ returnUrl: null });
  });

  test.each<[string, (response: ServerResponse) => unknown, RegExp]>([
    [
      "lies about its client_id",
      (to) => to.end(JSON.stringify({ ...document, client_id: `${id}x` })),
      /another client_id/,
    ],
    ["is huge", (to) => to.end(JSON.stringify({ ...document, x: "x".repeat(20_000) })), /larger than/],
    ["is a bomb", (to) => to.writeHead(200, { "content-length": 1e9 }).end(), /larger than/],
    ["redirects", (to) => to.writeHead(302, { location: `https://${metadata.host}/other` }).end(), /status 302/],
    ["is missing", (to) => to.writeHead(404).end(), /status 404/],
    ["is not JSON", (to) => to.end("<html>"), /not JSON/],
    ["has no addresses", (to) => to.end(JSON.stringify({ ...document, redirect_uris: [] })), /incomplete/],
    ["wants a secret", (to) => to.end(JSON.stringify({ ...document, token_endpoint_auth_method: "client_secret_post" })), /incomplete/], // prettier-ignore
    ["breaks off", (to) => to.destroy(), /could not be read/],
  ])("are rejected when the document %s", async (_case, respond, message) => {
    answerWith(respond);
    expect(await read()).toMatchObject({ message: expect.stringMatching(message) as string, returnUrl: null });
  });

  test("cannot register a script as a redirect URI", async () => {
    answerWith((to) => to.end(JSON.stringify({ ...document, redirect_uris: ["javascript:alert(1)", REDIRECT_URI] })));
    expect(await read({ redirect_uri: "javascript:alert(1)" })).toMatchObject({ returnUrl: null });
  });

  test.runIf(process.env.SOAK)("that never end are aborted", { timeout: 15_000 }, async () => {
    answerWith((response) => response.write("{"));
    const before = performance.now();
    expect(await read()).toMatchObject({ message: expect.stringMatching(/within 5 seconds/) as string });
    expect(performance.now() - before).toBeLessThan(8_000);
  });

  test.each([
    "https://127.0.0.1/client.json",
    "https://169.254.169.254/latest",
    "https://[::1]/client.json",
    "https://intranet/client.json",
    "https://localhost:1/client.json",
  ])("at an address that is not public are not fetched: %s", async (client_id) => {
    expect(await read({ client_id })).toMatchObject({ message: expect.stringMatching(/not on the public/) as string });
  });

  test.each([
    `http://${metadata.host}/client.json`,
    `https://${metadata.host}`,
    `https://${metadata.host}/`,
    `https://${metadata.host}/client.json?x=1`,
    `https://${metadata.host}/client.json?`,
    `https://${metadata.host}/client.json#x`,
    `https://user@${metadata.host}/client.json`,
    `https://${metadata.host}/x/../client.json`,
    `HTTPS://${metadata.host}/client.json`,
    `https://${metadata.host}/${"x".repeat(1_000)}`,
  ])("need a plain address, unlike %s", async (client_id) => {
    const { length } = metadata.received;
    expect(await read({ client_id })).toMatchObject({ returnUrl: null });
    expect(metadata.received).toHaveLength(length);
  });
});

describe("a request", () => {
  test.each<[string, Record<string, string | string[] | undefined>]>([
    ["without a client", { client_id: undefined }],
    ["without an address", { redirect_uri: undefined }],
    ["with two addresses", { redirect_uri: [REDIRECT_URI, "https://evil.example"] }],
    ["with another path", { redirect_uri: `${REDIRECT_URI}/x` }],
    ["with another host", { redirect_uri: "http://localhost:7777/callback" }],
    ["with a host that begins like it", { redirect_uri: "http://127.0.0.1.evil.example/callback" }],
    ["with a script", { redirect_uri: "javascript:alert(1)" }],
  ])("%s is rejected without a redirect", async (_case, changes) => {
    expect(await readAuthorization(hub, queryOf(changes))).toMatchObject({ returnUrl: null });
  });

  test.each<[string, Record<string, string | string[] | undefined>, string]>([
    ["without PKCE", { code_challenge: undefined }, "invalid_request"],
    ["with plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["with PKCE of no method", { code_challenge_method: undefined }, "invalid_request"],
    ["with a short challenge", { code_challenge: "abc" }, "invalid_request"],
    ["for a token at once", { response_type: "token" }, "unsupported_response_type"],
    ["for a fragment", { response_mode: "fragment" }, "invalid_request"],
    ["for another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["for two resources", { resource: ["https://hub.test/mcp", "https://other.example"] }, "invalid_request"],
    ["with a huge state", { state: "x".repeat(2_001) }, "invalid_request"],
  ])("%s is redirected to the client with the error", async (_case, changes, error) => {
    const request = await readAuthorization(hub, queryOf(changes));
    expect(isRejected(request)).toBe(true);
    const { returnUrl } = request as { returnUrl: string };
    expect(returnUrl).toMatch(/^http:\/\/127\.0\.0\.1:7777\/callback\?/);
    expect(new URL(returnUrl).searchParams.get("error")).toBe(error);
  });

  test("that the person denies is redirected to the client with the error", async () => {
    const request = (await readAuthorization(hub, queryOf())) as AuthorizationRequest;
    expect(denyConnection(ctx, request)).toBe(
      `${REDIRECT_URI}?error=access_denied&state=a+state&iss=https%3A%2F%2Fhub.test`,
    );
  });
});

describe("consent", () => {
  const ask = async () => encryptQuestion(ctx, (await readAuthorization(hub, queryOf())) as AuthorizationRequest);
  const send = async (question: string, headers: Record<string, string>, spend_limit: unknown = 1) => {
    const reply = await POST(
      new Request("https://hub.test/api/trpc/connections.allow", {
        method: "POST",
        body: JSON.stringify({ json: { question, spend_limit } }),
        headers: { "content-type": "application/json", ...headers },
      }),
    );
    return { status: reply.status, text: await reply.text() };
  };
  /** Returns a question to a person in a browser, and the browser's cookie. */
  async function askInBrowser() {
    const session = await newSession(hub, customer.account);
    const inBrowser = { ...ctx, actor: { kind: "user" as const, sessionId: session } };
    const request = (await readAuthorization(hub, queryOf())) as AuthorizationRequest;
    const cookie = await sessionCookie(hub, customer.account, { session });
    return { question: encryptQuestion(inBrowser, request), cookie };
  }

  test("is accepted only from the hub's own page", async () => {
    const { question, cookie } = await askInBrowser();
    for (const headers of [
      { cookie },
      { cookie, origin: "null" },
      { cookie, origin: "https://evil.example" },
      { cookie, origin: "http://hub.test" },
      { origin: "https://hub.test" },
      { cookie, origin: "https://hub.test", authorization: `Bearer ${customer.key}` },
    ] as Record<string, string>[])
      expect(await send(question, headers)).toMatchObject({ status: 401 });
    expect(await send(question, { cookie, origin: "https://hub.test" })).toMatchObject({ status: 200 });
  });

  test("is given once: the second answer to one question is rejected, also at the same time", async () => {
    const question = await ask();
    const answers = await Promise.allSettled(
      [1, 2, 3].map((spend_limit) => allowConnection(ctx, { question, spend_limit })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(allowConnection(ctx, { question, spend_limit: 1 })).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("is given by the session that was asked, within ten minutes", async () => {
    const question = await ask();
    const stranger = await ownerSession(hub, (await newCustomer(hub)).account);
    const otherSession = { ...ctx, actor: { kind: "user" as const, sessionId: newId() } };
    for (const other of [stranger, otherSession])
      await expect(allowConnection(other, { question, spend_limit: 1 })).rejects.toMatchObject({
        code: "invalid_input",
      });
    for (const forged of ["", "x", `${question.slice(0, -4)}AAAA`, ...alterEnd(question), question.slice(0, 40)])
      await expect(allowConnection(ctx, { question: forged, spend_limit: 1 })).rejects.toMatchObject({ code: "invalid_input" }); // prettier-ignore
    hub.clock.advance(600_001);
    await expect(allowConnection(ctx, { question, spend_limit: 1 })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("of a session that has ended is rejected", async () => {
    const ended = { ...ctx, actor: { kind: "user" as const, sessionId: newId() } };
    const request = (await readAuthorization(hub, queryOf())) as AuthorizationRequest;
    const question = encryptQuestion(ended, request);
    await expect(allowConnection(ended, { question, spend_limit: 1 })).rejects.toMatchObject({ code: "unauthorized" });
  });

  test.each([null, 0, -1, "5", 10_001, 1e-10])("needs a spend limit, unlike %s", async (limit) => {
    const { question, cookie } = await askInBrowser();
    expect(await send(question, { cookie, origin: "https://hub.test" }, limit)).toMatchObject({ status: 400 });
  });
});

describe("a code", () => {
  test("becomes a key for seven days, which is all that is shown of it", async () => {
    const { status, json } = await exchange(await allow(2));
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
    expect(json).toMatchObject({ token_type: "Bearer", expires_in: 604_800, scope: "mcp" });
    expect(json.access_token).toMatch(/^service_mk_/);
    expect(await callMcp(json.access_token as string)).toBe(400);
    const [connection] = (await listConnections(ctx)).map(serializeConnection);
    expect(connection).toMatchObject({ name: "Agent", host: null, spend_limit: 2, spent: 0 });
    const rows = await hub.db.query("SELECT to_jsonb(c)::text FROM connection c");
    expect(JSON.stringify(rows)).not.toContain((json.access_token as string).slice(15));
  });

  test("works once; its repetition ends the key that it made", async () => {
    const fields = await allow();
    const { json } = await exchange(fields);
    expect(await callMcp(json.access_token as string)).toBe(400);
    expect(await exchange({ ...fields, code_verifier: newPkce().verifier })).toMatchObject({
      status: 400,
      json: { error: "invalid_grant" },
    });
    expect(await callMcp(json.access_token as string)).toBe(401);
  });

  test("makes one key at most for requests at the same time", async () => {
    const fields = await allow();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(fields)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [row] = await hub.db.query<{ count: string }>(
      "SELECT count(*)::text FROM connection c JOIN api_key k ON k.id = c.key_id WHERE k.revoked_at IS NULL AND c.client_id = $1 AND k.created_at > $2",
      [client.id, new Date(hub.now().getTime() - 1)],
    );
    expect(Number(row!.count)).toBeLessThanOrEqual(1);
  });

  const other = registerClient(hub, { redirect_uris: [REDIRECT_URI], client_name: "Other" });
  test.each<[string, Record<string, string>, string]>([
    ["another client", { client_id: other.id }, "invalid_grant"],
    ["a wrong verifier", { code_verifier: newPkce().verifier }, "invalid_grant"],
    ["another port", { redirect_uri: "http://127.0.0.1:7778/callback" }, "invalid_grant"],
    ["another address", { redirect_uri: "https://evil.example/" }, "invalid_grant"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["another code", { code: "x".repeat(43) }, "invalid_grant"],
    ["a short verifier", { code_verifier: "x" }, "invalid_request"],
    ["no verifier", { code_verifier: "" }, "invalid_request"],
    ["a refresh token", { grant_type: "refresh_token" }, "unsupported_grant_type"],
    ["a password", { grant_type: "password" }, "unsupported_grant_type"],
  ])("is not exchanged with %s, and stays for its client", async (_case, changes, error) => {
    const fields = await allow();
    expect(await exchange({ ...fields, ...changes })).toMatchObject({ status: 400, json: { error } });
    expect((await exchange(fields)).status).toBe(200);
  });

  test("expires after 60 seconds, and is forgotten after a day", async () => {
    const fields = await allow();
    hub.clock.advance(61_000);
    expect(await exchange(fields)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    expect(await purgeUnusedCodes(hub, 1)).toBe(0);
    hub.clock.advance(86_400_000);
    expect(await purgeUnusedCodes(hub, 100)).toBeGreaterThan(0);
    expect(await hub.db.query("SELECT FROM connection WHERE key_id IS NULL")).toEqual([]);
  });

  test.each<[string, string, string, number]>([
    ["JSON", "{}", "application/json", 400],
    ["a field twice", "grant_type=a&grant_type=b", "application/x-www-form-urlencoded", 400],
    ["nothing", "", "application/x-www-form-urlencoded", 400],
    ["too much", `x=${"x".repeat(40_000)}`, "application/x-www-form-urlencoded", 413],
    ["too many fields", Array.from({ length: 40 }, (_, n) => `f${n}=1`).join("&"), "application/x-www-form-urlencoded", 400], // prettier-ignore
  ])("a form that is %s is rejected in OAuth's shape", async (_case, body, type, status) => {
    expect(await post("/oauth/token", body, type)).toMatchObject({ status, json: { error: "invalid_request" } });
  });

  test("other methods are 405, and other paths 404", async () => {
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await fetch(`${url}/oauth/token`, { method })).status).toBe(405);
    expect((await fetch(`${url}/oauth/other`)).status).toBe(404);
    expect((await fetch(`${url}/.well-known/other`)).status).toBe(404);
  });
});

test("failed exchanges of one address are limited", async () => {
  const limited = await openOwnHost({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "2" });
  const fields = { grant_type: "authorization_code", client_id: "x", redirect_uri: "x", code: "x", code_verifier: "x".repeat(43) }; // prettier-ignore
  const send = () => fetch(`${limited.url}/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
  const statuses = [await send(), await send(), await send()].map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 429]);
});

describe("a connection", () => {
  test("is ended by its person, and by nobody else", async () => {
    const own = await newCustomer(hub);
    const { key, keyId } = await connectApp(hub, own);
    await expect(endConnection(ctx, keyId)).rejects.toMatchObject({ code: "resource_not_found" });
    await expect(endConnection(await ownerSession(hub, own.account), own.keyId)).rejects.toMatchObject({
      code: "resource_not_found",
    });
    expect(await callMcp(key)).toBe(400);
    await endConnection(await ownerSession(hub, own.account), keyId);
    expect(await callMcp(key)).toBe(401);
    expect(await listConnections(await ownerSession(hub, own.account))).toEqual([]);
  });

  test("is ended by its client while the account is suspended", async () => {
    const own = await newCustomer(hub);
    const { key } = await connectApp(hub, own);
    const suspend = (suspended: boolean) =>
      hub.db.query("UPDATE account SET suspended = $2 WHERE id = $1", [own.account, suspended]);
    await suspend(true);
    expect(await post("/oauth/revoke", new URLSearchParams({ token: key }))).toMatchObject({ status: 200 });
    await suspend(false);
    expect(await callMcp(key)).toBe(401);
  });

  test("is ended by its client, and no API key is", async () => {
    const { key } = await connectApp(hub, customer);
    const revoke = (token: string) => post("/oauth/revoke", new URLSearchParams({ token }));
    for (const token of [key, key, customer.key, "x"]) expect(await revoke(token)).toMatchObject({ status: 200 });
    expect([await callMcp(key), await callMcp(customer.key)]).toEqual([401, 400]);
  });
});
