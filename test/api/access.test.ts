import { beforeAll, describe, expect, test } from "vitest";
import { createToken } from "../../server/domain/workers/worker";
import { storeOutput } from "../../server/domain/files/store-output";
import { operations } from "../../server/api/openapi";
import type { Operation } from "../../server/api/operation";
import { newSecret } from "../../server/domain/credentials/secret";
import { newId } from "../../server/lib/id";
import { sessionHeaders } from "../session";
import { isSoak } from "../soak";
import { callApi, type Reply } from "./call";
import { newCustomer } from "./customer";
import { openSmokeHosts } from "./hosts";
import { testOperator } from "../operator";

const hosts = await openSmokeHosts();
const guarded = operations.filter(({ auth }) => auth !== "none");
const byKey = guarded.filter(({ auth }) => auth !== "session" && auth !== "worker");
const owned = byKey.filter(({ path }) => path.includes("{id}") && !path.includes("/models/"));
/** The operations that accept a console session. */
const forSessions = guarded.filter(({ auth }) => auth !== "key" && auth !== "worker");
const forWorkers = guarded.filter(({ auth }) => auth === "worker");

const pathOf = ({ path }: Operation, id: string) => path.replace("{id}", id).replace("{index}", "0");
const methodOf = ({ method }: Operation) => method.toUpperCase();
const bodyOf = ({ body, method }: Operation) =>
  method === "post" && body ? { model: "sandbox-image", input: {} } : undefined;
/** Returns the parts of a response that must not differ between another account's object and a missing one. */
const visibleParts = ({ status, body }: Reply) => ({ status, ...body, instance: undefined });

test("the loops below cover every operation", () => {
  expect(guarded.length).toBeGreaterThanOrEqual(9);
  expect(owned.length).toBeGreaterThanOrEqual(4);
  expect(forWorkers.map(({ path }) => path)).toEqual(
    operations.filter(({ path }) => path.startsWith("/api/v1/worker/")).map(({ path }) => path),
  );
  expect(forWorkers.length).toBe(5);
  expect(forSessions.map(({ name }) => name).sort()).toEqual([
    "completeUpload",
    "createKey",
    "createUpload",
    "getFile",
    "getPreview",
    "getSigningSecret",
    "listKeys",
    "revokeKey",
    "rotateKey",
    "rotateSigningSecret",
    "streamEvents",
    "streamGeneration",
    "updateKey",
    "uploadFile",
  ]);
});

describe.each(hosts)("access on $name", (host) => {
  let mine: Record<"generation" | "file" | "character", string>;
  let otherKey: string;
  let workerToken: string;
  let session: Record<string, string>;

  beforeAll(async () => {
    const owner = await newCustomer(host.hub);
    const made = await callApi(host, "POST", "/api/v1/hub/generations", {
      key: owner.key,
      body: { model: "sandbox-image", input: { prompt: "x" } },
    });
    const generation = made.body.id as string;
    const content = (async function* () {
      yield Buffer.from("mine");
    })();
    await storeOutput(
      host.hub,
      { generationId: generation, accountId: owner.account, index: 0 },
      { mediaType: "text/plain", content },
    );
    const [row] = await host.hub.db.query<{ id: string }>(
      "UPDATE file SET stored_at = $2 WHERE generation_id = $1 RETURNING id",
      [generation, host.hub.now()],
    );
    const character = await callApi(host, "POST", "/api/v1/hub/characters", {
      key: owner.key,
      body: { name: "Ada", base_model: "sandbox-trainer", images: ["https://pictures.example/a.png"] },
    });
    mine = { generation, file: row!.id, character: String(character.body.id) };
    otherKey = (await newCustomer(host.hub)).key;
    workerToken = (await createToken(host.hub, testOperator, newId())).token;
    session = await sessionHeaders(host.hub, owner.account);
    const own = await callApi(host, "GET", `/api/v1/hub/files/${mine.file}`, { key: owner.key });
    expect(own.bytes.toString()).toBe("mine");
  });

  test.each(guarded)("$method $path responds with 401 without a key", async (operation) => {
    const reply = await callApi(host, methodOf(operation), pathOf(operation, newId()), { body: bodyOf(operation) });
    expect(reply.body.code).toBe("unauthorized");
  });

  test.each(guarded)(
    "$method $path responds with 401 to an invalid key or one of the wrong kind",
    async (operation) => {
      const wrongKind = operation.auth === "worker" ? otherKey : workerToken;
      // Both hosts pass the header on to the same app.
      const malformed = isSoak || host.name === "own server" ? ["garbage", "service_sk_", "service_wk_"] : [];
      for (const key of [...malformed, newSecret(), newSecret("wk"), wrongKind]) {
        const reply = await callApi(host, methodOf(operation), pathOf(operation, newId()), {
          key,
          body: bodyOf(operation),
        });
        expect(reply.body.code, key).toBe("unauthorized");
      }
    },
  );

  test.each(owned)("$method $path treats another account's object as missing", async (operation) => {
    const kind = operation.path.includes("/files/")
      ? "file"
      : operation.path.includes("/characters/")
        ? "character"
        : "generation";
    const id = mine[kind];
    const body = operation.body && {};
    const send = (which: string) =>
      callApi(host, methodOf(operation), pathOf(operation, which), { key: otherKey, body });
    const foreign = await send(id);
    expect(foreign.status).toBe(404);
    expect(visibleParts(foreign)).toEqual(visibleParts(await send(newId())));
    expect(visibleParts(foreign)).toEqual(visibleParts(await send("no-id-at-all")));
    expect(visibleParts(foreign)).toEqual(visibleParts(await send("2147483648")));
  });

  test.each(guarded.filter(({ auth }) => auth === "key"))(
    "$method $path responds with 401 to a session",
    async (operation) => {
      const reply = await callApi(host, methodOf(operation), pathOf(operation, mine.generation), {
        headers: session,
        body: bodyOf(operation),
      });
      expect(reply.body.code).toBe("unauthorized");
    },
  );

  test("a session opens its account's files, from any element of a page", async () => {
    const { cookie } = session;
    const path = `/api/v1/hub/files/${mine.file}`;
    expect((await callApi(host, "GET", path, { headers: { cookie: cookie! } })).bytes.toString()).toBe("mine");
    expect((await callApi(host, "HEAD", path, { headers: { cookie: cookie! } })).status).toBe(200);
    const foreign = { cookie: cookie!, origin: "https://elsewhere.example" };
    expect((await callApi(host, "GET", path, { headers: foreign })).status).toBe(401);
    const both = await callApi(host, "GET", path, { headers: session, key: newSecret() });
    expect(both.body.code).toBe("unauthorized");
    const other = await sessionHeaders(host.hub, (await newCustomer(host.hub)).account);
    expect((await callApi(host, "GET", path, { headers: other })).body.code).toBe("resource_not_found");
  });
});

test("a credential revoked while the body is sent has no effect", async () => {
  const { hub, url } = hosts[0]!;
  const { key, keyId, account } = await newCustomer(hub);
  let finish: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const parts = ['{"model":"sandbox-image",', '"input":{"prompt":"late"}}'].map((part) => Buffer.from(part));
      controller.enqueue(parts[0]!);
      finish = () => {
        controller.enqueue(parts[1]!);
        controller.close();
      };
    },
  });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const reply = fetch(`${url}/api/v1/hub/generations`, init);
  const isAccepted = async () =>
    (await hub.db.query("SELECT FROM api_key WHERE id = $1 AND last_used_at IS NOT NULL", [keyId])).length;
  await expect.poll(isAccepted).toBe(1);
  await hub.db.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [keyId]);
  hub.clock.advance(2_000);
  finish();
  expect((await reply).status).toBe(401);
  expect(await hub.db.query("SELECT FROM generation WHERE account_id = $1", [account])).toEqual([]);
});
