import { describe, expect, test } from "vitest";
import type { Queryable } from "../../server/db/client";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { buildExampleData } from "../../server/domain/envelopes";
import { emitAccountEvent } from "../../server/domain/events";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { createKey } from "../../server/domain/keys/create";
import { addMember, getPerson, updateRole } from "../../server/domain/people/person";
import { newId } from "../../server/lib/id";
import { ownerSession } from "../session";
import { callApi, type Reply } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openHosts } from "./hosts";

const hosts = await openHosts();
interface Envelope {
  id: string;
  event: string;
  /** Events of the account have neither. */
  data: { id?: string; status?: string };
}

describe.each(hosts)("the feed on $name", (host) => {
  const feed = async ({ key }: Customer, query = "") => {
    const reply = await callApi(host, "GET", `/api/v1/hub/events${query}`, { key });
    return reply as Reply & { body: { data: Envelope[]; next_after: string | null; has_more: boolean } };
  };
  const create = async ({ key }: Customer) => {
    const body = { model: "sandbox-image", input: { prompt: "x" } };
    return (await callApi(host, "POST", "/api/v1/hub/generations", { key, body })).body.id as string;
  };
  const run = async (id: string) => {
    await markRunning(host.hub, { generationId: id, runId: newId() });
    await finishGeneration(host.hub, { id, from: ["running"], to: "succeeded" });
  };
  const emit = ({ account }: Customer, name: "balance.low" | "batch.completed", tx: Queryable = host.hub.db) =>
    emitAccountEvent(tx, account, name, buildExampleData(host.hub, name, host.hub.now()), host.hub.now());

  test("lists every event from the first call on, in order, once, with the bytes of its first rendering", async () => {
    const customer = await newCustomer(host.hub);
    await run(await create(customer));
    expect((await feed(customer, "?after=latest")).body).toEqual({ data: [], next_after: null, has_more: false });
    const ids = [await create(customer), await create(customer), await create(customer)];
    for (const id of ids) await run(id);
    const all = await feed(customer);
    expect(all.body.data.map(({ event, data }) => [event, data.id, data.status])).toEqual(
      ids.flatMap((id) => [
        ["generation.running", id, "running"],
        ["generation.completed", id, "succeeded"],
      ]),
    );
    expect(all.body).toMatchObject({ next_after: all.body.data.at(-1)!.id, has_more: false });

    const read: Envelope[] = [];
    for (let after = "", more = true; more;) {
      const { body } = await feed(customer, `?limit=4${after && `&after=${after}`}`);
      read.push(...body.data);
      after = body.next_after!;
      more = body.has_more;
    }
    expect(read).toEqual(all.body.data);
    expect((await feed(customer)).bytes).toEqual(all.bytes);
    const { body: end } = await feed(customer, `?after=${all.body.next_after}`);
    expect(end).toEqual({ data: [], next_after: all.body.next_after, has_more: false });
    expect((await feed(customer, "?after=latest")).body.next_after).toBe(all.body.next_after);
  });

  test("lists events that are not about a generation only to readers who name them", async () => {
    const customer = await newCustomer(host.hub);
    await emit(customer, "balance.low");
    await feed(customer);
    await emit(customer, "balance.low");
    await run(await create(customer));
    await emit(customer, "batch.completed");
    const namesIn = async (query = "") => (await feed(customer, query)).body.data.map(({ event }) => event);
    expect(await namesIn()).toEqual(["generation.running", "generation.completed"]);
    const types = "?types=batch.completed,%20balance.low,generation.completed";
    expect(await namesIn(types)).toEqual(["balance.low", "generation.completed", "batch.completed"]);
    expect(await namesIn("?types=payment.succeeded")).toEqual([]);
    const { body } = await feed(customer, `${types}&limit=2`);
    expect(body.has_more).toBe(true);
    expect(await namesIn(`${types}&after=${body.next_after}`)).toEqual(["batch.completed"]);
    const latest = async (query: string) => (await feed(customer, `${query}&after=latest`)).body.next_after;
    expect(await latest("?types=generation.completed")).toBe(body.next_after);
    expect(await latest("?types=payment.failed")).toBeNull();
    for (const wrong of ["", "nope", "balance.low,", "webhook.test"]) {
      const reply = await feed(customer, `?types=${wrong}`);
      expect([reply.status, Object.keys(reply.body.errors as object)[0]]).toEqual([
        400,
        expect.stringMatching(/^types/),
      ]);
    }
  });

  test("lists events about money only by keys of people who may see the account's money", async () => {
    const customer = await newCustomer(host.hub);
    const { actor } = await ownerSession(host.hub, customer.account);
    const { key } = await createKey(host.hub, customer.account, { name: "own" }, actor);
    const own = { ...customer, key };
    const statusesOf = (reader: Customer, types: string) =>
      Promise.all(
        [types, `${types}&after=latest`].map(async (query) => (await feed(reader, `?types=${query}`)).status),
      );
    const others = "generation.completed,batch.completed,key.limit_reached";
    const money = ["payment.succeeded", "balance.exhausted", `${others},balance.low`];
    for (const types of [others, ...money]) expect(await statusesOf(own, types), types).toEqual([200, 200]);
    const partner = await getPerson(host.hub, (await newCustomer(host.hub)).email);
    await addMember(host.hub.db, customer.account, partner.id, "owner", host.hub.now());
    await updateRole(host.hub.db, customer.account, actor.person.id, "developer");
    for (const types of money) {
      expect(await statusesOf(own, types), types).toEqual([403, 403]);
      expect(await statusesOf(customer, types), types).toEqual([200, 200]);
    }
    expect(await statusesOf(own, others)).toEqual([200, 200]);
    expect((await feed(own)).status).toBe(200);
  });

  test("a reader that follows while generations end concurrently misses no event", async () => {
    const customer = await newCustomer(host.hub, { credit: 100 });
    await feed(customer);
    const ids = await Promise.all(Array.from({ length: 20 }, () => create(customer)));
    let running = true;
    const ends = Promise.all(ids.map(run)).finally(() => (running = false));
    const seen: string[] = [];
    let after: string | null = null;
    for (let last = false; !last;) {
      last = !running;
      const { body }: Awaited<ReturnType<typeof feed>> = await feed(customer, after ? `?after=${after}` : "");
      seen.push(...body.data.map(({ event, data }) => `${event} ${data.id}`));
      after = body.next_after;
      last &&= !body.has_more;
    }
    await ends;
    expect(seen.toSorted()).toEqual(
      ids.flatMap((id) => [`generation.completed ${id}`, `generation.running ${id}`]).toSorted(),
    );
  });

  test("an event of the account waits for one that took an earlier number", async () => {
    const customer = await newCustomer(host.hub);
    await feed(customer);
    const { db } = host.hub;
    let second: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await emit(customer, "balance.low", tx);
      second = emit(customer, "batch.completed");
      const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await expect.poll(() => db.query(waiting)).toHaveLength(1);
    });
    await second;
    const { body } = await feed(customer, "?types=balance.low,batch.completed");
    expect(body.data.map(({ event }) => event)).toEqual(["balance.low", "batch.completed"]);
  });

  test("rejects a position of another account or an unknown one with 400", async () => {
    const [mine, theirs] = [await newCustomer(host.hub), await newCustomer(host.hub)];
    await feed(theirs);
    await run(await create(theirs));
    const { body } = await feed(theirs);
    for (const after of [body.next_after, newId(), "garbage", "0"]) {
      expect((await feed(mine, `?after=${after}`)).body, String(after)).toMatchObject({
        code: "invalid_input",
        errors: { after: [expect.any(String) as string] },
      });
    }
    for (const limit of ["0", "101", "x"]) expect((await feed(mine, `?limit=${limit}`)).status).toBe(400);
  });
});
