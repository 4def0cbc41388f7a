import { expect, test } from "vitest";
import { storeUpload } from "@/server/domain/uploads/store-upload";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const content = async function* (text: string) {
  yield Buffer.from(text);
};

test("lists an account's files page by page, filtered by kind", async () => {
  const user = await newConsoleUser(hub);
  const ids: string[] = [];
  for (let count = 0; count < 21; count += 1) ids.unshift((await storeUpload(user.session, content("hello"))).id);
  const first = await user.console.files.list({});
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(first.data[0]).toMatchObject({ url: `https://hub.test/api/v1/hub/files/${ids[0]}`, kind: "upload" });
  const second = await user.console.files.list({ cursor: first.next_cursor! });
  expect(second).toMatchObject({ data: [{ id: ids[20] }], next_cursor: null });
  expect(await user.console.files.list({ kind: "output" })).toEqual({ data: [], next_cursor: null });
  await expect(user.console.files.list({ kind: "upload", cursor: first.next_cursor! })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("hides another account's files, and rejects deleting them", async () => {
  const [owner, otherAccount] = [await newConsoleUser(hub), await newConsoleUser(hub)];
  const { id } = await storeUpload(owner.session, content("hello"));
  expect((await otherAccount.console.files.list({})).data).toEqual([]);
  expect(await otherAccount.console.files.delete({ ids: [id, "none"] })).toEqual({ deleted: 0, in_use: 0 });
  await expect(owner.console.files.delete({ ids: Array(101).fill(id) as string[] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await owner.console.files.delete({ ids: [id] })).toEqual({ deleted: 1, in_use: 0 });
  expect((await owner.console.files.list({})).data).toEqual([]);
});
