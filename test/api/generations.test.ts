import { beforeAll, describe, expect, test } from "vitest";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { toPassedOver } from "../../server/domain/generations/attempts/attempts";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { openAttempt } from "../../server/domain/generations/run/open-attempt";
import { newId } from "../../server/lib/id";
import { alterEnd } from "../alter-end";
import { callApi, type Reply } from "./call";
import { type Customer, newCustomer } from "./customer";
import { type Host, openHosts } from "./hosts";

const hosts = await openHosts();
const LONG = "long".repeat(50);
const PATH = "/api/v1/hub/generations";
const BODY = { model: "sandbox-image", input: { prompt: "a tree" } };

/** Completes a generation as a run does, without a run. */
async function succeed({ hub }: Host, id: string) {
  await markRunning(hub, { generationId: id, runId: newId() });
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost: 9_200_000n });
}

describe.each(hosts)("generations on $name", (host) => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await newCustomer(host.hub);
  });
  const create = (body: unknown = BODY, headers: Record<string, string> = {}, { key } = customer) =>
    callApi(host, "POST", PATH, { key, body, headers });
  const get = (id: unknown, { key } = customer) => callApi(host, "GET", `${PATH}/${String(id)}`, { key });
  const me = async ({ key } = customer) => (await callApi(host, "GET", "/api/v1/me", { key })).body;

  test("queues an accepted generation and holds its estimate", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const batch_id = newId();
    const { status, headers, body } = await create({ ...BODY, batch_id }, {}, someone);
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`${PATH}/${String(body.id)}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      ...BODY,
      is_llm: false,
      status: "queued",
      estimated_cost: 0.0092,
      billed_cost: null,
      currency: "EUR",
      outputs: [],
      error: null,
      missing: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      started_at: null,
      completed_at: null,
      provider: "sandbox",
      batch_id,
      priority: "normal",
      metadata: {},
      end_user: null,
      progress: null,
      erased_at: null,
    });
    expect((await get(body.id, someone)).body).toEqual(body);
    expect(await me(someone)).toMatchObject({ balance: 1, available: 0.9908 });
  });

  test("responds with 304 while a generation and a page have not changed, and in full afterwards", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const { id } = (await create(BODY, {}, someone)).body as { id: string };
    const ask = (path: string, tag?: string) =>
      callApi(host, "GET", path, { key: someone.key, headers: tag === undefined ? {} : { "if-none-match": tag } });
    const paths = [`${PATH}/${id}`, `${PATH}?limit=10`];
    const replies = await Promise.all(paths.map((path) => ask(path)));
    const tags = replies.map(({ headers }) => headers.get("etag")!);
    expect(new Set(tags).size).toBe(2);
    for (const [index, path] of paths.entries()) {
      expect(replies[index]!.headers.get("cache-control")).toBe("private, no-cache");
      for (const tag of [tags[index], `W/${tags[index]}`, `"other", ${tags[index]}`, "*"]) {
        const { status, headers, bytes } = await ask(path, tag);
        expect([status, bytes.length, headers.get("etag")]).toEqual([304, 0, tags[index]]);
        expect(headers.get("cache-control")).toBe("private, no-cache");
      }
      expect((await ask(path, '"other"')).status).toBe(200);
    }
    await succeed(host, id);
    for (const [index, path] of paths.entries()) {
      const { status, headers } = await ask(path, tags[index]);
      expect(status).toBe(200);
      expect(headers.get("etag")).not.toBe(tags[index]);
    }
    expect((await ask(`${PATH}/${newId()}`, "*")).status).toBe(404);
  });

  test("rejects an estimate above the balance with 402, and returns both amounts", async () => {
    const poor = await newCustomer(host.hub, { credit: 0.01 });
    expect((await create(BODY, {}, poor)).status).toBe(202);
    const { body } = await create(BODY, {}, poor);
    expect(body).toMatchObject({ code: "insufficient_credits", required: 0.0092, available: 0.0008, instance: PATH });
  });

  test("a repeated key returns 503 while the generation runs, then the record; another body gets 409", async () => {
    const headers = { "idempotency-key": "order 4711/é".normalize() };
    const first = await create(BODY, headers);
    const id = first.body.id as string;
    const busy = await create({ input: { prompt: "a tree" }, model: "sandbox-image" }, headers);
    expect(busy.body).toMatchObject({ code: "generation_in_progress", status: 503, generation_id: id });
    expect(Number(busy.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(busy.headers.get("location")).toBe(`${PATH}/${id}`);

    await succeed(host, id);
    const replay = await create(BODY, headers);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(replay.body).toMatchObject({ id, status: "succeeded", billed_cost: 0.0092, progress: 1 });

    const other = await create({ ...BODY, input: { prompt: "a bush" } }, headers);
    expect(other.body).toMatchObject({ code: "idempotency_conflict", status: 409 });
    expect(other.headers.get("x-should-retry")).toBe("false");
  });

  test("an idempotency key has 1 to 255 characters, and a rejected request does not use it up", async () => {
    const place = async (key: string) => (await create(BODY, { "idempotency-key": key })).body.errors;
    expect(await place("")).toHaveProperty("Idempotency-Key");
    expect(await place("k".repeat(256))).toHaveProperty("Idempotency-Key");
    const utf8 = (length: number) => Buffer.from("ü".repeat(length)).toString("latin1");
    expect(await place(utf8(256))).toHaveProperty("Idempotency-Key");
    expect((await create(BODY, { "idempotency-key": utf8(255) })).status).toBe(202);
    expect((await create(BODY, { "idempotency-key": utf8(255) })).body.code).toBe("generation_in_progress");
    const headers = { "idempotency-key": "k".repeat(255) };
    expect((await create({ ...BODY, input: {} }, headers)).status).toBe(400);
    expect((await create(BODY, headers)).status).toBe(202);
  });

  test("an API key can require an idempotency key", async () => {
    const strict = await newCustomer(host.hub, { requireIdempotency: true });
    const rejected = await create(BODY, {}, strict);
    expect(rejected.body).toMatchObject({ code: "invalid_input", errors: { "Idempotency-Key": [expect.any(String)] } });
    expect((await create(BODY, { "idempotency-key": "a" }, strict)).status).toBe(202);
  });

  test("a hundred identical requests with one key create one generation and one hold", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => create(BODY, { "idempotency-key": "one" }, someone)),
    );
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 503)).toHaveLength(99);
    expect(await me(someone)).toMatchObject({ available: 0.9908 });
  });

  test("takes any UUID as batch_id, and returns and finds it in lower case", async () => {
    for (const sent of ["11111111-1111-1111-1111-111111111111", newId().toUpperCase()]) {
      const { status, body } = await create({ ...BODY, batch_id: sent });
      expect([status, body.batch_id]).toEqual([202, sent.toLowerCase()]);
      expect((await get(body.id)).body).toEqual(body);
      const page = await callApi(host, "GET", `${PATH}?batch_id=${sent}`, { key: customer.key });
      expect(page.body.data).toEqual([body]);
    }
    for (const sent of ["", "none", newId().replaceAll("-", "")])
      expect((await create({ ...BODY, batch_id: sent })).body.errors).toEqual({ batch_id: ["must be a UUID"] });
  });

  test("pages are sorted newest first and complete, with one total, and cursors are bound to the filters", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const batch_id = newId();
    const ids: unknown[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await create(n < 2 ? BODY : { ...BODY, batch_id }, {}, someone)).body.id);
    await succeed(host, ids[4] as string);
    const page = (query: string) => callApi(host, "GET", `${PATH}?${query}`, { key: someone.key });
    const idsOf = ({ body }: Reply) => (body.data as { id: string }[]).map(({ id }) => id);

    const seen: string[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null; pages += 1) {
      const reply: Reply = await page(cursor ? `limit=2&cursor=${cursor}` : "limit=2");
      expect(reply.body.total_billed).toBe(0.0092);
      seen.push(...idsOf(reply));
      cursor = reply.body.next_cursor as string | null;
      expect(pages).toBeLessThan(3);
    }
    expect(seen).toEqual(ids);

    expect(idsOf(await page("status=succeeded"))).toEqual([ids[4]]);
    expect(idsOf(await page(`batch_id=${batch_id}`))).toEqual(ids.slice(0, 3));
    expect(idsOf(await page("model=nobody"))).toEqual([]);
    expect(idsOf(await page("exclude_llm=true&model=sandbox-image"))).toEqual(ids);
    const foreign = (await page("limit=2")).body.next_cursor as string;
    expect((await page(`cursor=${foreign}&exclude_llm=true`)).body.errors).toHaveProperty("cursor");
    for (const altered of [...alterEnd(foreign), foreign.replace(".", "=."), foreign.replace(".", "!.")])
      expect((await page(`cursor=${altered}`)).body.errors, altered).toHaveProperty("cursor");
    const otherAccountsCursor = await callApi(host, "GET", `${PATH}?cursor=${foreign}`, { key: customer.key });
    expect(otherAccountsCursor.body.errors).toHaveProperty("cursor");
  });

  test("pages are sorted by created_at also if the files of a generation take longer to check", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const input = { ...BODY.input, image_input: [`sha256:${"0".repeat(64)}`] };
    const batch = { model: BODY.model, inputs: [input, BODY.input] };
    const blocker = await host.hub.db.pool.connect();
    try {
      await blocker.query("BEGIN");
      await blocker.query("LOCK TABLE file IN ACCESS EXCLUSIVE MODE");
      const slow = [
        create({ ...BODY, input }, {}, someone),
        callApi(host, "POST", "/api/v1/hub/batches", { key: someone.key, body: batch }),
      ];
      const waiting = `SELECT FROM pg_locks WHERE relation = 'file'::regclass AND NOT granted`;
      await expect.poll(async () => (await host.hub.db.query(waiting)).length).toBeGreaterThan(1);
      expect((await create(BODY, {}, someone)).status).toBe(202);
      await blocker.query("COMMIT");
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([202, 202]);
    } finally {
      await blocker.query("ROLLBACK");
      blocker.release();
    }
    const { body } = await callApi(host, "GET", PATH, { key: someone.key });
    const times = (body.data as { created_at: string }[]).map(({ created_at }) => created_at);
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test("searches by words, ids, time and key, and rejects malformed values", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const batch_id = newId();
    const prompt = "A lighthouse at dusk";
    const boat = (await create(BODY, {}, someone)).body.id as string;
    const tower = (await create({ ...BODY, input: { prompt }, batch_id }, {}, someone)).body.id as string;
    const list = (query: string) => callApi(host, "GET", `${PATH}?${query}`, { key: someone.key });
    const find = async (query: string) => ((await list(query)).body.data as { id: string }[]).map(({ id }) => id);
    for (const q of ["dusk%20LIGHTHOUSE", "light", tower, batch_id]) expect(await find(`q=${q}`)).toEqual([tower]);
    expect(await find("q=nothing")).toEqual([]);
    const day = host.hub.now().toISOString().slice(0, 10);
    expect(await find(`from=${day}&to=${day}&key=${someone.keyId}&q=a`)).toEqual([tower, boat]);
    expect(await find("to=2025-01-01T00:00:00%2B02:00")).toEqual([]);
    expect(await find("from=0000-01-01T00:00:00%2B14:00&to=9999-12-31")).toEqual([tower, boat]);
    expect(await find(`key=${newId()}`)).toEqual([]);
    expect((await callApi(host, "GET", `${PATH}?q=${tower}`, { key: customer.key })).body.data).toEqual([]);
    const wrong = ["q=", "q=!!!", `q=${"x".repeat(201)}`, "from=yesterday", "from=2026-02-30", "to=2026-11-21T08:00", "to=1e9", "key=1", "key="]; // prettier-ignore
    for (const query of wrong) {
      const { status, body } = await list(query);
      expect([query, status, body.code, Object.keys(body.errors as object)]).toEqual(
        [query, 400, "invalid_input", [query.split("=")[0]]], // prettier-ignore
      );
    }
  });

  test("cancel releases the hold, is repeatable, and is rejected for an ended generation", async () => {
    const someone = await newCustomer(host.hub, { credit: 1 });
    const cancel = (id: unknown) => callApi(host, "POST", `${PATH}/${String(id)}/cancel`, { key: someone.key });
    const { id } = (await create(BODY, {}, someone)).body;
    const canceled = await cancel(id);
    expect([canceled.status, canceled.body]).toMatchObject([
      200,
      { status: "canceled", billed_cost: null, started_at: null, completed_at: expect.any(String) as string },
    ]);
    expect((await cancel(id)).body).toEqual(canceled.body);
    expect(await me(someone)).toMatchObject({ balance: 1, available: 1 });

    const ended = (await create(BODY, {}, someone)).body.id;
    await succeed(host, ended as string);
    expect((await cancel(ended)).body).toMatchObject({ code: "generation_not_cancelable", status: 409 });
    expect(
      (await callApi(host, "POST", `${PATH}/${String(ended)}/cancel`, { key: someone.key, body: "junk" })).status,
    ).toBe(400);
  });

  test("lists the attempts", async () => {
    const { id } = (await create()).body;
    const { status, body } = await callApi(host, "GET", `${PATH}/${String(id)}/attempts`, { key: customer.key });
    expect([status, body]).toEqual([200, { data: [] }]);
  });

  test("lists routes that were passed over before the attempt that they precede", async () => {
    const id = (await create()).body.id as string;
    const run = { generationId: id, runId: "run" };
    const [route] = host.hub.catalogue.get(BODY.model)!.routes;
    await markRunning(host.hub, run);
    const passedOver = (["missing_key", "at_capacity"] as const).map((reason) => toPassedOver(route!, reason));
    const attempt = await openAttempt(host.hub, run, {
      n: 1,
      route: route!,
      reason: "balanced",
      submitMs: 0,
      passedOver,
    });
    const { body } = await callApi(host, "GET", `${PATH}/${id}/attempts`, { key: customer.key });
    const at = attempt!.started_at.toISOString();
    const common = {
      route: route!.id,
      provider: "sandbox",
      reason: null,
      started_at: at,
      upstream_status: null,
      cost: null,
    };
    expect(body).toEqual({
      data: [
        { id: passedOver[0]!.id, ...common, ended_at: at, outcome: "skipped", skipped: "missing_key" },
        { id: passedOver[1]!.id, ...common, ended_at: at, outcome: "skipped", skipped: "at_capacity" },
        { id: attempt!.id, ...common, reason: "balanced", ended_at: null, outcome: null },
      ],
    });
    const stranger = await newCustomer(host.hub);
    expect((await callApi(host, "GET", `${PATH}/${id}/attempts`, { key: stranger.key })).status).toBe(404);
  });

  test.each(["x", "%00", "00000000-0000-0000-0000-000000000000", "1%20OR%201=1", "..%2f..%2fme", LONG])(
    "responds to %s as an id with 404",
    async (id) => {
      expect((await get(id)).body).toMatchObject({ status: 404, code: "generation_not_found" });
    },
  );
});
