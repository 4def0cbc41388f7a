import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { listDeliveries } from "../../server/domain/deliveries/delivery";
import { redeliverDelivery } from "../../server/domain/deliveries/redeliver";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { expireFiles } from "../../server/domain/files";
import { contextOf } from "../../server/context";
import { callApi, type Request } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { listFileNames } from "../list-file-names";
import { WAIT } from "../wait";
import { openReceiver } from "../webhooks/receiver";
import { findText } from "./find-text";

const PATH = "/api/v1/hub/generations";
// Answers with what it has received, as some receivers do.
const receiver = await openReceiver((response, _request, { body }) => void response.writeHead(200).end(body));
const host = await openRunningHost({ SANDBOX: "on", OUTBOUND_ALLOW_HOSTS: receiver.host });
const { hub } = host;

async function openAccount() {
  const customer = await newCustomer(hub, { credit: 100 });
  const call = (method: string, path: string, request: Request = {}) =>
    callApi(host, method, path, { key: customer.key, ...request });
  const ctx = contextOf(
    hub,
    { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" },
    "test",
  );
  return {
    ...customer,
    ctx,
    call,
    create: async (body: object, headers: Record<string, string> = {}) => {
      const reply = await call("POST", PATH, { body, headers: { prefer: "wait=30", ...headers } });
      expect(reply.body.completed_at, JSON.stringify(reply.body)).not.toBeNull();
      return reply.body as {
        id: string;
        status: string;
        outputs: { url: string }[];
        error: { message: string } | null;
      };
    },
  };
}

/** A generation with a canary in every text that a request has. */
const canaryRequest = (canary: string, prompt = `a tree ${canary}`) => ({
  model: "sandbox-image",
  input: { prompt },
  metadata: { [`key-${canary}`]: `value ${canary}` },
  end_user: `user ${canary}`,
  webhook: { url: receiver.url, events: ["generation.completed"] },
});

test("after an erasure no table, no file and no table of the engine has a text of the request", async () => {
  const account = await openAccount();
  const { endpoint } = await createEndpoint(account.ctx, {
    url: receiver.url,
    events: ["generation.running", "generation.completed"],
  });
  const canary = "canarymedia4711";
  const succeeded = await account.create(canaryRequest(canary), { "idempotency-key": "one" });
  const failed = await account.create(canaryRequest(canary, `[fail] ${canary}`));
  expect([succeeded.status, failed.status]).toEqual(["succeeded", "failed"]);
  await account.call("GET", `${new URL(succeeded.outputs[0]!.url).pathname}?w=128`);
  await expect
    .poll(
      async () => (await listDeliveries(account.ctx, endpoint.id, { limit: 10 })).data.map(({ state }) => state),
      WAIT,
    )
    .toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
  const before = await findText(hub, canary);
  expect(before).toEqual(expect.arrayContaining(["generation.input", "event.data", "delivery_attempt.response"]));

  for (const { id } of [succeeded, failed]) {
    expect((await account.call("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await account.call("DELETE", `${PATH}/${id}`)).status).toBe(204);
  }
  await expireFiles(hub, 100);
  expect(await findText(hub, canary)).toEqual([]);
  expect(await listFileNames(`${hub.folder}/files`)).toEqual([]);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);

  const erased = { input: {}, outputs: [], metadata: {}, end_user: null, erased_at: expect.any(String) as string };
  expect((await account.call("GET", `${PATH}/${succeeded.id}`)).body).toMatchObject({ ...erased, status: "succeeded" });
  expect((await account.call("GET", `${PATH}/${failed.id}`)).body).toMatchObject({
    ...erased,
    error: { code: "provider_error", message: "The message was erased." },
  });
  // A repeated request gets the record, and one with another body the same conflict as before.
  const again = await account.call("POST", PATH, {
    body: canaryRequest(canary),
    headers: { "idempotency-key": "one" },
  });
  expect([again.status, again.body]).toMatchObject([200, { id: succeeded.id, ...erased }]);
  const other = await account.call("POST", PATH, {
    body: canaryRequest(canary, "other"),
    headers: { "idempotency-key": "one" },
  });
  expect(other.body.code).toBe("idempotency_conflict");
  // A webhook that is sent again has the reduced record.
  receiver.received.length = 0;
  const [delivery] = (await listDeliveries(account.ctx, endpoint.id, { limit: 1 })).data;
  await redeliverDelivery(account.ctx, delivery!.id);
  await expect.poll(() => receiver.received.length, WAIT).toBe(1);
  expect(JSON.parse(receiver.received[0]!.body.toString())).toMatchObject({ data: { id: failed.id, ...erased } });
});

test("only the account's own generations that have ended are erased", async () => {
  const [owner, other] = [await openAccount(), await openAccount()];
  const { id } = await owner.create({ model: "sandbox-image", input: { prompt: "a tree" } });
  expect((await other.call("DELETE", `${PATH}/${id}`)).status).toBe(404);
  const waiting = await owner.call("POST", PATH, {
    body: { model: "sandbox-image", input: { prompt: "a tree", image_input: [`sha256:${"ab".repeat(32)}`] } },
  });
  const running = await owner.call("DELETE", `${PATH}/${String(waiting.body.id)}`);
  expect([running.status, running.body.code]).toEqual([409, "invalid_state"]);
  expect((await owner.call("GET", `${PATH}/${id}`)).body).toMatchObject({
    input: { prompt: "a tree" },
    erased_at: null,
  });
});

test("a generation of which nothing is to be kept is erased once its owner has fetched all of it", async () => {
  const account = await openAccount();
  const { id, outputs } = await account.create({
    model: "sandbox-image",
    input: { prompt: "a tree" },
    retention: "none",
  });
  const path = new URL(outputs[0]!.url).pathname;
  const read = async () => (await account.call("GET", `${PATH}/${id}`)).body;
  await account.call("HEAD", path);
  await account.call("GET", `${path}?w=128`);
  await account.call("GET", path, { headers: { range: "bytes=0-9" } });
  expect(await read()).toMatchObject({ input: { prompt: "a tree" }, erased_at: null });
  const fetched = await account.call("GET", path);
  expect(fetched.bytes.length).toBeGreaterThan(0);
  await expect.poll(read, WAIT).toMatchObject({ input: {}, outputs: [], erased_at: expect.any(String) as string });
  expect((await account.call("GET", path)).status).toBe(404);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});

test("a repeat of a failed request leaves the error to its generation", async () => {
  const { key, account: id } = await openAccount();
  const send = () =>
    fetch(`${host.url}/v1/images/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "one" },
      body: JSON.stringify({ model: "sandbox-image", prompt: "[fail] harbour" }),
    });
  const first = await send();
  const again = await send();
  expect([first.status, again.status]).toEqual([again.status, first.status]);
  await hub.services.rejectionLog.flush();
  const logged = await hub.db.query<{ message: string; generation_id: string | null }>(
    "SELECT message, generation_id FROM rejected_request WHERE account_id = $1 ORDER BY id",
    [id],
  );
  const generation = logged[0]!.generation_id!;
  expect(logged).toEqual([
    { message: "The prompt says [fail].", generation_id: generation },
    { message: `Generation ${generation} has failed.`, generation_id: null },
  ]);
});
