import { expect, test } from "vitest";
import { eraseContent } from "../../server/domain/erasure/erase-content";
import { insertManyWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const [user, other] = [await newConsoleUser(hub), await newConsoleUser(hub)];
const newGenerations = async (count: number) => {
  const generations = Array.from({ length: count }, () => queuedGeneration(user.account, 1n));
  await insertManyWithHold(hub.db, generations);
  return generations.map(({ id }) => id).toSorted();
};
const setAll = async (ids: string[], isFavourite: boolean) => {
  for (const id of ids) await user.console.favourites.set({ id, isFavourite });
};
const listed = async () => (await user.console.favourites.list({})).data.map(({ id }) => id);

test("favourites are those of the account, newest first, each once", async () => {
  const [first, second, third] = (await newGenerations(3)) as [string, string, string];
  await setAll([second, first, second], true);
  expect(await user.console.favourites.ids()).toEqual([first, second]);
  expect(await listed()).toEqual([second, first]);
  expect(await other.console.favourites.ids()).toEqual([]);
  await expect(other.console.favourites.set({ id: third, isFavourite: true })).rejects.toThrow("not found");
  await other.console.favourites.set({ id: first, isFavourite: false });
  expect(await user.console.favourites.ids()).toEqual([first, second]);
  await setAll([first, second, second], false);
  expect(await listed()).toEqual([]);
});

test("pages continue where the last one ended", async () => {
  const ids = await newGenerations(21);
  await setAll(ids, true);
  const page = await user.console.favourites.list({});
  expect(page.data).toHaveLength(20);
  const rest = await user.console.favourites.list({ cursor: page.next_cursor! });
  expect(rest.data.map(({ id }) => id)).toEqual([ids[0]]);
  expect(rest.next_cursor).toBeNull();
  await setAll(ids, false);
});

test("an account has at most 1,000 favourites", async () => {
  const ids = await newGenerations(1_001);
  await hub.db.query("INSERT INTO favourite SELECT id, account_id, now() FROM generation WHERE id = ANY ($1::uuid[])", [
    ids.slice(1),
  ]);
  await expect(user.console.favourites.set({ id: ids[0]!, isFavourite: true })).rejects.toThrow("1000 favourites");
  await user.console.favourites.set({ id: ids[1]!, isFavourite: true });
  await hub.db.query("DELETE FROM favourite");
});

test("a star goes with the content of its generation, and cannot come back", async () => {
  const [erased, kept] = (await newGenerations(2)) as [string, string];
  await setAll([erased, kept], true);
  await user.console.generations.cancel({ id: erased });
  await eraseContent(hub, [erased]);
  expect(await user.console.favourites.ids()).toEqual([kept]);
  await expect(user.console.favourites.set({ id: erased, isFavourite: true })).rejects.toThrow("not found");
});
