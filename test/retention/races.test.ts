import { expect, test } from "vitest";
import { renderEvent } from "../../server/domain/envelopes/render";
import type { EventRow } from "../../server/domain/envelopes/render";
import { eraseContent } from "../../server/domain/erasure/erase-content";
import { listEvents } from "../../server/domain/envelopes/list-events";
import { expireFiles } from "../../server/domain/files";
import { deriveHub } from "../derive-hub";
import { chunksOf, openFileHub } from "../file-hub";
import { storeOutput } from "../../server/domain/files/store-output";

const { hub, advance, newAccount, ctxOf, start, end, store, listContents } = await openFileHub();
const HOUR_MS = 3_600_000;

async function addFollowed() {
  const account = await newAccount();
  await listEvents(ctxOf(account), { limit: 1 });
  const id = await start(account);
  await store(id, account, 0, "content");
  return { account, id };
}

test("a process that read an event before the erasure does not store its content again", async () => {
  const { id } = await addFollowed();
  await end(id, "succeeded", 1);
  const read = () =>
    hub.db.query<EventRow>("SELECT n, snapshot, data FROM event WHERE generation_id = $1 ORDER BY n", [id]);
  const [running, completed] = await read();
  // One event is rendered before the erasure, the other after it.
  await renderEvent(hub, running!);
  await eraseContent(hub, [id]);
  expect(JSON.parse(await renderEvent(deriveHub(hub), completed!))).toMatchObject({ input: {}, outputs: [] });
  for (const { snapshot, data } of await read()) {
    expect(snapshot).toBeNull();
    expect(JSON.parse(data!)).toMatchObject({ id, input: {}, outputs: [], erased_at: expect.any(String) as string });
  }
});

test("erasing while a generation ends erases all of it, or nothing", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { account, id } = await addFollowed();
    const [count] = await Promise.all([eraseContent(hub, [id]), end(id, "succeeded", 1)]);
    const { envelopes } = await listEvents(ctxOf(account), { limit: 10 });
    const inputs = envelopes.map((text) => (JSON.parse(text) as { data: { input: object } }).data.input);
    expect(inputs).toEqual(Array.from({ length: 2 }, () => (count === 1 ? {} : { prompt: "a tree" })));
    const files = await hub.db.query("SELECT id FROM file WHERE generation_id = $1", [id]);
    expect(files).toHaveLength(count === 1 ? 0 : 1);
    await eraseContent(hub, [id]);
  }
});

test("a crash before the content is removed leaves it to the sweep, and nobody sees it meanwhile", async () => {
  const { id } = await addFollowed();
  await end(id, "succeeded", 1);
  const { storage } = hub;
  const crashing = deriveHub(hub, { storage: { ...storage, remove: () => Promise.reject(new Error("It crashed.")) } });
  await eraseContent(crashing, [id]);
  expect(await listContents()).toHaveLength(1);
  expect(await hub.db.query("SELECT id FROM file WHERE generation_id = $1 AND stored_at IS NOT NULL", [id])).toEqual(
    [],
  );
  advance(HOUR_MS + 60_000);
  await expireFiles(hub, 100);
  expect(await listContents()).toEqual([]);
  expect(await hub.db.query("SELECT id FROM file WHERE generation_id = $1", [id])).toEqual([]);
});

test("an output that arrives after the erasure is not stored", async () => {
  const { account, id } = await addFollowed();
  await end(id, "canceled");
  await eraseContent(hub, [id]);
  await storeOutput(
    hub,
    { generationId: id, accountId: account, index: 1 },
    { mediaType: "image/png", content: chunksOf("late") },
  );
  advance(HOUR_MS + 60_000);
  await expireFiles(hub, 100);
  expect(await listContents()).toEqual([]);
});
