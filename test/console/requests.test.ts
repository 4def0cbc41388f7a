import { expect, test } from "vitest";
import { listRequests } from "@/server/domain/requests";
import { selectRequests } from "@/server/domain/requests/select-requests";
import { openChatHost, userMessages } from "../chat/host";
import { respondWith } from "../chat/upstream";
import { explainPlan } from "../explain-plan";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const host = await openChatHost({ EXPOSE_ATTEMPTS: "full" });
const { hub } = host;

type User = Awaited<ReturnType<typeof newConsoleUser>>;

const chat = ({ key }: User, requestId: string, body: object = {}) =>
  host.chat(key, { messages: userMessages("hello"), ...body }, { headers: { "x-request-id": requestId } });
const list = async ({ console }: User, filters: Parameters<User["console"]["requests"]["list"]>[0] = {}) => {
  await hub.services.rejectionLog.flush();
  return console.requests.list(filters);
};

test("generations and rejected requests are one list, in which a chat that failed is once", async () => {
  const user = await newConsoleUser(hub);
  const other = await newConsoleUser(hub);
  await chat(user, "request-1");
  await chat(user, "request-2", { model: "unknown" });
  host.upstream.respondNext(respondWith(400, { error: { message: "Too spicy.", type: "invalid_request_error" } }));
  expect((await chat(user, "request-3")).status).toBe(400);
  await chat(other, "request-4", { model: "unknown" });

  const { data } = await list(user);
  const generation = { kind: "generation", model: "talk", key: { id: user.keyId, name: "test" } };
  expect(data).toMatchObject([
    { ...generation, status: "failed", error: { code: "provider_error" }, attempts: [{ first_token_ms: null }] },
    { kind: "rejected", code: "model_not_found", status: 404, request_id: "request-2", generation_id: null },
    { ...generation, status: "succeeded", usage: { output_tokens: expect.any(Number) as number } },
  ]);
  expect(data[2]).toMatchObject({ attempts: [{ route: expect.stringContaining("up:") as string }] });
  const kindsOf = async (filters: Parameters<typeof list>[1]) =>
    (await list(user, filters)).data.map(({ kind }) => kind);
  expect(await kindsOf({ show: "generations", key: user.keyId })).toEqual(["generation", "generation"]);
  expect(await kindsOf({ show: "rejected" })).toEqual(["rejected"]);
  expect(await kindsOf({ to: "2020-01-01" })).toEqual([]);
  // The request id that the client has leads to the generation of a failed chat.
  expect((await list(user, { request_id: "request-3" })).data).toMatchObject([
    { kind: "rejected", code: "provider_error", generation_id: data[0]!.id },
  ]);
  expect(await user.console.requests.countByKey({ id: user.keyId })).toEqual({ count: 1, isMore: false });

  hub.exposure = "times";
  const hidden = (await list(user)).data;
  hub.exposure = "off";
  const off = (await list(user)).data;
  hub.exposure = "full";
  expect(hidden[2]).toMatchObject({ attempts: [{ route: null, ended_at: expect.any(String) as string }] });
  expect(off[2]).toMatchObject({ attempts: [] });
});

test("says for how many days rejected requests are kept", async () => {
  const { console: client } = await newConsoleUser(hub);
  expect(await client.requests.keptDays()).toBe(7);
  await client.account.setRetention({ retention: { request_log_days: 2 } });
  expect(await client.requests.keptDays()).toBe(2);
});

test("a picture that fails while its request waits is once in the list too", async () => {
  const user = await newConsoleUser(hub);
  const waiting = fetch(`${host.url}/v1/images/generations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${user.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a pier" }),
  });
  await expect.poll(async () => (await list(user)).data).toMatchObject([{ status: "queued" }]);
  const [generation] = (await list(user)).data;
  await user.console.generations.cancel({ id: generation!.id });
  expect((await waiting).status).toBe(400);
  expect((await list(user)).data).toMatchObject([{ id: generation!.id, status: "canceled" }]);
});

test("pages follow each other without a gap, whatever their rows are", async () => {
  const user = await newConsoleUser(hub);
  for (let n = 0; n < 5; n += 1) {
    await chat(user, `request-${n}0`, { model: "unknown" });
    await chat(user, `request-${n}1`);
  }
  const whole = (await list(user)).data.map(({ id }) => id);
  expect(whole).toHaveLength(10);
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRequests(user.session, { limit: 3, cursor });
    paged.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(paged).toEqual(whole);
});

test("a page reads the newest rows of its account by indexes, however many there are", async () => {
  const own = await testHub();
  const { account, keyId } = await newConsoleUser(own);
  await own.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
     FROM generate_series(1, 5000)`,
    [account, own.now()],
  );
  await own.db.query(
    `INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message)
     SELECT gen_random_uuid(), $1, $2, now(), n::text, 'GET', '/', 404, 'generation_not_found', 'x' FROM generate_series(1, 5000) n`,
    [account, keyId],
  );
  await own.db.query("ANALYZE generation, rejected_request");
  const none = { show: undefined, key: undefined, code: undefined, request_id: undefined, from: undefined };
  const plan = await explainPlan(own, ({ db }) =>
    selectRequests(db, { ...none, until: undefined, before: undefined, accountId: account, limit: 26 }),
  );
  expect(plan).toContain("rejected_request_account_id_id_idx");
  expect(plan).not.toMatch(/Seq Scan on (?:generation|rejected_request)\b/);
});
