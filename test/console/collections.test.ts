import { expect, test } from "vitest";
import { eraseContent } from "../../server/domain/erasure/erase-content";
import { insertManyWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const [user, other] = [await newConsoleUser(hub), await newConsoleUser(hub)];
const { collections } = user.console;
const newGenerations = async (count: number) => {
  const generations = Array.from({ length: count }, () => queuedGeneration(user.account, 1n));
  await insertManyWithHold(hub.db, generations);
  return generations.map(({ id }) => id).toSorted();
};
const star = (id: string, isIn: boolean, by = user) =>
  by.console.collections.setItems({ collection: null, ids: [id], isIn });
const itemsOf = async (collection: string | null) => (await collections.items({ collection })).data.map(({ id }) => id);
const summaries = async (ids: string[] = []) =>
  (await collections.list({ ids })).map(({ name, items, chosen }) => ({ name, items, chosen }));

test("favourites are those of the account, newest first, each once", async () => {
  const [first, second, third] = (await newGenerations(3)) as [string, string, string];
  for (const id of [second, first, second]) await star(id, true);
  expect(await collections.favourites()).toEqual([first, second]);
  expect(await itemsOf(null)).toEqual([second, first]);
  expect(await other.console.collections.favourites()).toEqual([]);
  await expect(star(third, true, other)).rejects.toThrow("not found");
  await star(first, false, other);
  expect(await collections.favourites()).toEqual([first, second]);
  // Favourites are not a collection that anybody could list, rename or delete.
  expect(await collections.list({})).toEqual([]);
  for (const id of [first, second]) await star(id, false);
  expect(await itemsOf(null)).toEqual([]);
});

test("a collection is created, filled, renamed and deleted, and its generations and favourites stay", async () => {
  const [first, second, third] = (await newGenerations(3)) as [string, string, string];
  await star(first, true);
  const { id } = await collections.create({ name: " My product shots " });
  const set = (ids: string[], isIn: boolean) => collections.setItems({ collection: id, ids, isIn });
  expect(await set([first, second], true)).toEqual({ count: 2 });
  await set([second, third], true);
  expect(await itemsOf(id)).toEqual([third, second, first]);
  expect((await collections.covers()).map(({ generation }) => generation.id)).toEqual([third]);
  expect(await summaries([first])).toEqual([{ name: "My product shots", items: 3, chosen: 1 }]);
  const places = hub.db.prisma.collectionItem.count({ where: { generationId: first } });
  expect([await places, await collections.favourites()]).toEqual([2, [first]]);
  await set([third], false);
  expect(await itemsOf(id)).toEqual([second, first]);

  await expect(collections.create({ name: "My product shots" })).rejects.toThrow("another collection");
  const { id: empty } = await collections.create({ name: "Mugs" });
  await expect(collections.rename({ id: empty, name: "My product shots" })).rejects.toThrow("another collection");
  await collections.rename({ id, name: "Cups" });
  expect((await summaries()).map(({ name }) => name)).toEqual(["Cups", "Mugs"]);
  for (const one of [id, empty]) await collections.delete({ id: one });
  expect([await collections.list({}), await collections.favourites()]).toEqual([[], [first]]);
  await star(first, false);
  await expect(collections.get({ id })).rejects.toThrow("no such collection");
  expect(await user.console.generations.get({ id: first })).toMatchObject({ id: first });
});

test("nobody reaches a collection of another account", async () => {
  const [mine] = (await newGenerations(1)) as [string];
  const { id } = await collections.create({ name: "Secret" });
  await collections.setItems({ collection: id, ids: [mine], isIn: true });
  const others = other.console.collections;
  for (const attempt of [
    () => others.get({ id }),
    () => others.rename({ id, name: "Mine" }),
    () => others.delete({ id }),
    () => others.setItems({ collection: id, ids: [mine], isIn: true }),
  ])
    await expect(attempt()).rejects.toThrow(/not found|no such collection/);
  await others.setItems({ collection: id, ids: [mine], isIn: false });
  expect((await others.items({ collection: id })).data).toEqual([]);
  expect([await others.list({ ids: [mine] }), await others.covers()]).toEqual([[], []]);
  expect(await itemsOf(id)).toEqual([mine]);
  await collections.delete({ id });
});

test("pages continue where the last one ended", async () => {
  const ids = await newGenerations(21);
  await collections.setItems({ collection: null, ids, isIn: true });
  const page = await collections.items({ collection: null });
  expect(page.data).toHaveLength(20);
  const rest = await collections.items({ collection: null, cursor: page.next_cursor! });
  expect(rest.data.map(({ id }) => id)).toEqual([ids[0]]);
  expect(rest.next_cursor).toBeNull();
  await collections.setItems({ collection: null, ids, isIn: false });
});

test("favourites and collections have at most 1,000 generations, and an account 100 collections", async () => {
  const ids = await newGenerations(1_001);
  const { id } = await collections.create({ name: "Full" });
  await star(ids[1]!, true);
  await hub.db.query(
    `INSERT INTO collection_item SELECT c.id, g.id, c.account_id, now() FROM collection c, generation g
     WHERE c.account_id = $1 AND g.id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`,
    [user.account, ids.slice(1)],
  );
  await expect(star(ids[0]!, true)).rejects.toThrow("1000 favourites");
  await expect(collections.setItems({ collection: id, ids: ids.slice(0, 2), isIn: true })).rejects.toThrow("1000 gen");
  await star(ids[1]!, true);
  expect(await collections.favourites()).toHaveLength(1_000);

  await hub.db.query(
    "INSERT INTO collection SELECT gen_random_uuid(), $1, 'collection ' || n, now() FROM generate_series(2, 100) n",
    [user.account],
  );
  await expect(collections.create({ name: "One more" })).rejects.toThrow("100 collections");
  await expect(collections.create({ name: "x".repeat(61) })).rejects.toThrow("at most 60");
  await hub.db.query("DELETE FROM collection");
});

test("a generation leaves its collections with its content, and cannot come back", async () => {
  const [erased, kept] = (await newGenerations(2)) as [string, string];
  const { id } = await collections.create({ name: "Ships" });
  for (const collection of [null, id]) await collections.setItems({ collection, ids: [erased, kept], isIn: true });
  await user.console.generations.cancel({ id: erased });
  await eraseContent(hub, [erased]);
  for (const collection of [null, id]) expect(await itemsOf(collection)).toEqual([kept]);
  await expect(star(erased, true)).rejects.toThrow("not found");
  expect(await collections.setItems({ collection: id, ids: [erased, kept], isIn: true })).toEqual({ count: 1 });
});
