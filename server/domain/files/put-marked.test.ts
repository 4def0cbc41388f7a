import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeWav } from "../../../test/media/audio";
import { markBuffer, piecesOf } from "../../../test/media/mark";
import { makePng } from "../../../test/media/png";
import { deriveHub } from "../../../test/derive-hub";
import { openFileHub } from "../../../test/file-hub";
import { newId } from "../../lib/id";
import { putMarked } from "./put-marked";
import { storeOutput } from "./store-output";

const { hub, newAccount, start } = await openFileHub();
const model = "sandbox-image";
const picture = await makePng("teal");

const warnings: unknown[] = [];
const observed = deriveHub(hub, {
  log: { ...hub.log, warn: (details: unknown) => void warnings.push(details) },
});

const put = (content: Buffer, mediaType: string, on = observed) => {
  const id = newId();
  const file = { id, model, generationId: newId(), index: 0 };
  return putMarked(on, file, { mediaType, content: piecesOf(content) }).then((stored) => ({ id, ...stored }));
};
const read = async (id: string) => buffer((await hub.storage.open(id))!);
const hashOf = (content: Buffer) => createHash("sha256").update(content).digest();

test("stores the marked content, whose hash and size it returns", async () => {
  const { content } = await markBuffer(picture, "image/png", { model });
  const { id, ...stored } = await put(picture, "image/png");
  expect(stored).toEqual({ mark: "xmp", size: content.length, sha256: hashOf(content) });
  expect((await read(id)).equals(content)).toBe(true);
  expect(await put(picture, "image/png")).toMatchObject({ sha256: stored.sha256 });
});

test("stores a damaged content unchanged, with one warning", async () => {
  const broken = picture.subarray(0, -1);
  const { id, mark, sha256 } = await put(broken, "image/png");
  expect(mark).toBe("unreadable");
  expect(sha256).toEqual(hashOf(broken));
  expect((await read(id)).equals(broken)).toBe(true);
  expect(warnings.splice(0)).toMatchObject([{ index: 0, mediaType: "image/png" }]);
});

test("stores a long content unchanged whose manifest only its end shows", async () => {
  const signed = Buffer.concat([makeWav(100), Buffer.from("C2PA\x04\0\0\0abcd", "latin1")]);
  signed.writeUInt32LE(signed.length - 8, 4);
  const { id, mark, sha256, size } = await put(signed, "audio/wav");
  expect({ mark, size, sha256 }).toEqual({ mark: "maker_c2pa", size: signed.length, sha256: hashOf(signed) });
  expect((await read(id)).equals(signed)).toBe(true);
  expect(warnings).toEqual([]);
});

test("stores what needs no mark unchanged", async () => {
  const off = deriveHub(hub, { env: { ...hub.env, MARK_OUTPUTS: "off" } });
  expect(await put(picture, "image/png", off)).toMatchObject({ mark: "disabled", sha256: hashOf(picture) });
  const exempt = { ...hub.catalogue.get(model)!, marksOutputs: false };
  const exempting = deriveHub(hub, { catalogue: new Map([[model, exempt]]) });
  expect(await put(picture, "image/png", exempting)).toMatchObject({ mark: "model_exempt", sha256: hashOf(picture) });
});

test("a repeat after a crash stores the same content", async () => {
  const account = await newAccount();
  const generationId = await start(account);
  const target = { generationId, accountId: account, index: 0 };
  const store = () => storeOutput(hub, target, { mediaType: "image/png", content: piecesOf(picture, 50) });
  const select = "SELECT encode(sha256, 'hex') AS sha256, mark, size FROM file WHERE generation_id = $1";
  await store();
  const first = await hub.db.query(select, [generationId]);
  // As if the process had been killed between the content and its record.
  await hub.db.query("UPDATE file SET sha256 = NULL, mark = NULL WHERE generation_id = $1", [generationId]);
  await store();
  expect(await hub.db.query(select, [generationId])).toEqual(first);
  expect(first).toMatchObject([{ mark: "xmp" }]);
});
