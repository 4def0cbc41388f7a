import { bool, bytea, int8Number, notNull, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";
import { shrinkPicture, UnreadablePicture } from "../../lib/pictures/shrink-picture";
import { operate, type Operator } from "../operator-actions";
import type { SamplesHub } from "./hub";

/** The width of a sample in pixels, which fills a card on a high-density screen. */
const WIDTH = 640;
const MAX_STORED_BYTES = 512 * 1024;
const MAX_MS = 20_000;
const MAX_OF_MODEL = 8;

/**
 * Adds a reduced copy of a picture to a model's samples, so that nothing depends on the picture afterwards, and returns its id.
 * Throws a 400 for a picture that cannot be read or is the model's ninth, and a 404 for an unknown model.
 */
export async function addSample(
  hub: SamplesHub,
  operator: Operator,
  { model, picture }: { model: string; picture: Buffer },
): Promise<string> {
  if (!hub.catalogue.has(model)) throw new AppError("model_not_found");
  const reduced = await reduce(picture);
  const id = newId();
  await operate(hub, operator, { action: "sample.add", target: { kind: "model", id: model } }, async (tx) => {
    const [{ count }] = (await countSamples(tx, model)) as [{ count: number }];
    if (count >= MAX_OF_MODEL) throw invalidInput("model", `has ${MAX_OF_MODEL} samples. Remove one first.`);
    await insertSample(tx, id, model, reduced, hub.now());
    return { before: null, after: { sample: id }, result: undefined };
  });
  return id;
}

async function reduce(picture: Buffer): Promise<Buffer> {
  try {
    const reduced = await shrinkPicture(picture, WIDTH, AbortSignal.timeout(MAX_MS));
    if (reduced.length <= MAX_STORED_BYTES) return reduced;
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
  }
  throw invalidInput("file", "must be a PNG, JPEG, WebP, GIF or AVIF image that can be decoded.");
}

const countSamples = statement({
  params: [text],
  row: { count: notNull(int8Number) },
  text: "SELECT count(*) AS count FROM model_sample WHERE model = $1",
});

const insertSample = statement({
  params: [uuid, text, bytea, timestamptz],
  row: {},
  text: "INSERT INTO model_sample (id, model, picture, created_at) VALUES ($1, $2, $3, $4)",
});

/** Chooses whether the home page shows a sample, also to visitors without a session. Throws a 404 if there is none. */
export async function chooseForHome(
  hub: SamplesHub,
  operator: Operator,
  { id, isOnHome }: { id: string; isOnHome: boolean },
): Promise<void> {
  const action = { action: isOnHome ? "sample.publish" : "sample.unpublish", target: { kind: "model", id: "" } };
  await operate(hub, operator, action, async (tx) => {
    const [sample] = await updateSample(tx, id, isOnHome);
    if (!sample) throw sampleNotFound();
    const target = { kind: "model", id: sample.model };
    return {
      before: { sample: id, on_home: !isOnHome },
      after: { sample: id, on_home: isOnHome },
      target,
      result: undefined,
    };
  });
}

const updateSample = statement({
  params: [uuid, bool],
  row: { model: text },
  text: "UPDATE model_sample SET on_home = $2 WHERE id = $1 RETURNING model",
});

/** Removes a sample. Throws a 404 if there is none. */
export async function removeSample(hub: SamplesHub, operator: Operator, id: string): Promise<void> {
  const action = { action: "sample.remove", target: { kind: "model", id: "" } };
  await operate(hub, operator, action, async (tx) => {
    const [sample] = isId(id) ? await deleteSample(tx, id) : [];
    if (!sample) throw sampleNotFound();
    return { before: { sample: id }, after: null, target: { kind: "model", id: sample.model }, result: undefined };
  });
}

const deleteSample = statement({
  params: [uuid],
  row: { model: text },
  text: "DELETE FROM model_sample WHERE id = $1 RETURNING model",
});

const sampleNotFound = () => new AppError("resource_not_found", "There is no such sample.");
