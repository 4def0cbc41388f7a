import { randomUUID } from "node:crypto";
import path from "node:path";
import { type Api, connectApi } from "../scripts/tour/api";
import { attemptLost } from "../server/domain/generations/row/failures";
import { refuseContent } from "../server/providers/http/describe-rejection";
import type { Failure } from "../server/providers/failure";
import { openDiskStorage } from "../server/storage/disk";
import { makeMp3, makeWav } from "../test/media/audio";
import { makeMp4 } from "../test/media/mp4";
import { makePng } from "../test/media/png";
import { makeWebm } from "../test/media/webm";
import { queryHub } from "./query-hub";
import { waitUntilEnded } from "./seed-account";

interface Hub {
  url: string;
  key: string;
  dataDir: string;
}

interface OutputFile {
  mediaType: string;
  content: Buffer;
}

/** Seeds generations that the sandbox cannot make, by writing their rows and files, and returns their ids. */
export async function seedOutputs(hub: Hub) {
  const api = connectApi(hub.url, hub.key);
  const make = async (prompt: string, outputs: OutputFile[]) => {
    const id = await createEnded(api, prompt);
    await addOutputs(hub, id, outputs);
    return id;
  };
  const fail = async (error: Failure, outcome: string) => {
    const id = await createEnded(api, `[fail] ${error.code}`);
    await queryHub(hub.dataDir, "UPDATE generation SET error = $2 WHERE id = $1", [id, error]);
    await queryHub(hub.dataDir, "UPDATE attempt SET outcome = $2 WHERE generation_id = $1", [id, outcome]);
    return id;
  };
  const clip = { mediaType: "video/webm", content: await makeWebm(["#d9772b", "#2b7bd9", "#3c9a5f"]) };
  const film = { mediaType: "video/mp4", content: await makeMp4("#2b7bd9") };
  const [mixed, pair, single, texts, refused, lost, waiting] = await Promise.all([
    make("a harbour in four pictures, with a film and its sound", [clip, wav, ...(await makePictures(4))]),
    make("two views of an orchard", await makePictures(2)),
    make("a lighthouse, turning", [film]),
    make("what the keeper said, and how it sounded", [transcript, words, mp3, archive, broken]),
    fail(refuseContent("no").error, "refused"),
    fail(attemptLost, "lost"),
    createWaiting(hub, api, 3),
  ]);
  return { mixed, pair, single, texts, refused, lost, waiting };
}

const wav = { mediaType: "audio/wav", content: makeWav(2) };
const mp3 = { mediaType: "audio/mpeg", content: makeMp3(3) };
const transcript = { mediaType: "text/plain", content: Buffer.from("The lamp is lit at dusk. ".repeat(1_000)) };
const words = { mediaType: "application/json", content: Buffer.from('{"text":"The lamp is lit.","seconds":3}') };
const broken = { mediaType: "video/mp4", content: Buffer.from("no film at all") };
const archive = { mediaType: "application/zip", content: Buffer.from("PK\x03\x04 and so on") };

const makePictures = (count: number): Promise<OutputFile[]> =>
  Promise.all(
    ["#d9772b", "#2b7bd9", "#3c9a5f", "#8a5fc2"].slice(0, count).map(async (background) => ({
      mediaType: "image/png",
      content: await makePng(background, { width: 640, height: 360 }),
    })),
  );

async function create(api: Api, prompt: string): Promise<string> {
  const input = { prompt, aspect_ratio: "16:9" };
  return (await api.post<{ id: string }>("/hub/generations", { model: "sandbox-image", input })).body.id;
}

async function createEnded(api: Api, prompt: string): Promise<string> {
  const id = await create(api, prompt);
  await waitUntilEnded(api, `/hub/generations/${id}`);
  return id;
}

/** Replaces the outputs of a generation. */
async function addOutputs({ dataDir }: Hub, id: string, outputs: OutputFile[]): Promise<void> {
  const storage = await openDiskStorage(path.join(dataDir, "files"));
  await queryHub(dataDir, "DELETE FROM file WHERE generation_id = $1", [id]);
  for (const [index, { mediaType, content }] of outputs.entries()) {
    const file = randomUUID();
    const { size, sha256 } = await storage.put(file, yieldOnce(content));
    await queryHub(
      dataDir,
      `INSERT INTO file (id, account_id, generation_id, index, media_type, size, sha256, created_at, stored_at, expires_at)
       SELECT $2, account_id, id, $3, $4, $5, $6, now(), now(), now() + interval '30 days' FROM generation WHERE id = $1`,
      [id, file, index, mediaType, size, sha256],
    );
  }
}

async function* yieldOnce(content: Uint8Array) {
  yield content;
}

/** Creates a generation that stays in its provider's queue, with this many others before it. */
async function createWaiting({ dataDir }: Hub, api: Api, position: number): Promise<string> {
  const id = await create(api, "[slow:3600] a picture in a long queue");
  // Until upstream's id is stored, the submit's result would overwrite the position.
  const text =
    "UPDATE attempt SET queue_position = $2 WHERE generation_id = $1 AND upstream_id IS NOT NULL RETURNING n";
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await queryHub(dataDir, text, [id, position])).length > 0) return id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${id} was not submitted within five seconds`);
}

/** Stores the first of several outputs of a running generation, as it is stored while the others are being fetched. */
export async function storeFirstOf({ dataDir }: Hub, id: string, count: number): Promise<void> {
  await queryHub(dataDir, "UPDATE generation SET input = input || jsonb_build_object('n', $2::int) WHERE id = $1", [id, count]); // prettier-ignore
  await queryHub(
    dataDir,
    `INSERT INTO file (id, account_id, generation_id, index, media_type, size, sha256, created_at, expires_at)
     SELECT $2, account_id, id, 0, 'image/png', 700, sha256(''), now(), now() + interval '30 days'
     FROM generation WHERE id = $1`,
    [id, randomUUID()],
  );
}
