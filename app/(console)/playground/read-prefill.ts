import { isObject } from "../../../server/lib/is-object";
import { measureValue } from "@/server/catalogue/measure-value";
import { getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { inflateRawSync } from "node:zlib";
import { exampleInputs } from "../../parameters/example-inputs";
import { fileInput, parametersOf } from "../../parameters/parameter";
import type { ReadSearch } from "../../ui/search";
import { MAX_LINK_INPUT_LENGTH } from "./encode-input";

/**
 * Returns the model and input that a URL names: a file as input, an earlier generation (with `larger` in its model's next
 * resolution), a model id with an optional input, example and character, or with `first` the best one for a first run.
 */
export async function readPrefill(session: Session, read: ReadSearch) {
  const fromFile = await readFileInput(session, read);
  if (fromFile) return fromFile;
  const first = read("first") === null ? null : await chooseFirstRun(session);
  if (first) return first;
  const id = read("generation");
  if (id === null) return readModel(session, read);
  const { getStoredGeneration, isAppError } = await getPageApi();
  try {
    const { model, input } = await getStoredGeneration(session, id);
    return { model, input: read("larger") === null ? input : await enlarge(session, model, input) };
  } catch (error) {
    if (isAppError(error)) return readModel(session, read);
    throw error;
  }
}

async function enlarge(session: Session, id: string, input: Record<string, unknown>) {
  const { findLargerInput, listModels } = await getPageApi();
  const model = listModels(session).find((one) => one.id === id);
  return (model && findLargerInput(model.parametersSchema, input)) ?? input;
}

async function readModel(session: Session, read: ReadSearch) {
  const { findTriggerWord, listModels, parseCharacterId } = await getPageApi();
  const model = read("model");
  const { parametersSchema = {} } = listModels(session).find(({ id }) => id === model) ?? {};
  const example = exampleInputs(parametersSchema)[Number(read("example")) - 1]?.input;
  const shared = decodeInput(read("input"));
  const character = parseCharacterId(read("character") ?? "");
  if (character === null) return { model, input: { ...example, ...shared } };
  const word = await findTriggerWord(session, character);
  return { model, input: { ...(word !== null && { prompt: `${word} ` }), ...example, ...shared, character } };
}

interface FirstRun {
  model: string;
  input: Record<string, unknown>;
}

const CHAT = { messages: [{ role: "user", content: "Write a haiku about the sea." }] };

/**
 * Returns the cheapest example that the hub would accept now, of an image model if there is one; null if no model has
 * such an example.
 */
async function chooseFirstRun(session: Session): Promise<FirstRun | null> {
  const { findPrice, isTrainer, listModels } = await getPageApi();
  const models = listModels(session).filter((model) => !isTrainer(model));
  const runs = models.flatMap(({ id, isLlm, parametersSchema, outputModalities }) => {
    const inputs = isLlm
      ? [CHAT]
      : exampleInputs(parametersSchema).flatMap(({ input, missing }) => (missing.length === 0 ? [input] : []));
    return inputs.flatMap((input) => {
      const price = findPrice(session, id, input);
      return price === null ? [] : [{ model: id, input, price, isPicture: outputModalities.includes("image") }];
    });
  });
  const [first] = runs.sort((one, other) => Number(other.isPicture) - Number(one.isPicture) || one.price - other.price);
  return first ? { model: first.model, input: first.input } : null;
}

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;

/** Returns the input of a shared link; an empty one for a parameter that `encodeInput` cannot have made. */
export function decodeInput(text: string | null): Record<string, unknown> {
  if (text === null || text.length > MAX_LINK_INPUT_LENGTH) return {};
  try {
    const json = inflateRawSync(Buffer.from(text, "base64url"), { maxOutputLength: MAX_BYTES }).toString();
    const value: unknown = JSON.parse(json);
    return isObject(value) && measureValue(value, Infinity, MAX_DEPTH).depth <= MAX_DEPTH ? value : {};
  } catch {
    return {};
  }
}

/**
 * Returns the model of the URL, or the first one that takes images, with the file of the URL as its input; null without a usable
 * file.
 */
async function readFileInput(session: Session, read: ReadSearch) {
  const id = read("file");
  if (id === null || !(await isImage(session, id))) return null;
  const { fileUrl, listModels } = await getPageApi();
  const url = fileUrl(session.hub, id);
  const named = read("model");
  for (const model of listModels(session).filter(({ id }) => named === null || id === named)) {
    const input = fileInput(parametersOf(model.parametersSchema), url);
    if (!model.isLlm && input && model.inputModalities.includes("image")) return { model: model.id, input };
  }
  return null;
}

async function isImage(session: Session, id: string): Promise<boolean> {
  const { findFile, isAppError } = await getPageApi();
  try {
    return (await findFile(session, id)).media_type.startsWith("image/");
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}
