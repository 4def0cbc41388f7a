import { expect, test } from "vitest";
import { storeUpload } from "@/server/domain/files/store-upload";
import { testHub } from "../hub";
import { newPerson } from "./caller";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const content = async function* (text: string) {
  yield Buffer.from(text);
};

test("a person's files come a page at a time, of the kind that is asked for", async () => {
  const person = await newPerson(hub);
  const ids: string[] = [];
  for (let count = 0; count < 21; count += 1) ids.unshift((await storeUpload(person.session, content("hello"))).id);
  const first = await person.console.files.list({});
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(first.data[0]).toMatchObject({ url: `https://hub.test/api/v1/hub/files/${ids[0]}`, kind: "upload" });
  const second = await person.console.files.list({ cursor: first.next_cursor! });
  expect(second).toMatchObject({ data: [{ id: ids[20] }], next_cursor: null });
  expect(await person.console.files.list({ kind: "output" })).toEqual({ data: [], next_cursor: null });
  await expect(person.console.files.list({ kind: "upload", cursor: first.next_cursor! })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("nobody sees or deletes somebody else's", async () => {
  const [owner, stranger] = [await newPerson(hub), await newPerson(hub)];
  const { id } = await storeUpload(owner.session, content("hello"));
  expect((await stranger.console.files.list({})).data).toEqual([]);
  for (const name of [id, "none"])
    await expect(stranger.console.files.delete({ id: name })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await owner.console.files.delete({ id });
  expect((await owner.console.files.list({})).data).toEqual([]);
});
