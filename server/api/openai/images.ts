import { z } from "@hono/zod-openapi";
import { Readable } from "node:stream";
import type { Model } from "../../catalogue/model";
import type { Hub } from "../../domain/hub";
import { withLabels } from "../../domain/labels";
import { getModel } from "../../domain/models";
import { type FileRow, findFile, openContent } from "../../domain/files";
import { signLink } from "../../domain/input-files";
import type { Generation } from "../../domain/generations/row";
import {
  convertText,
  countGenerations,
  findFileParameter,
  findModel,
  keepFile,
  type SentFile,
  toPictureInput,
  unusableOutput,
} from "../../domain/openai";
import { invalidInput } from "../../errors";
import type { Ctx } from "../../context";
import { type Callers, defineOperation, type ImmediateResult } from "../operation";
import type { Form } from "./form";
import { CreationHeaders } from "../schemas/creation-headers";
import { OpenAiImageForm, OpenAiImageRequest, OpenAiImages } from "../schemas/openai";
import { runMediaSet, withForm } from "./route";
import { generationHeaders, ModelId, shared } from "./shared";

const LINK_MS = 3_600_000;
const formats = ["b64_json", "url"] as const;
const ResponseFormat = z.enum(formats, 'must be "b64_json" or "url"').nullish();

export const createImage = defineOperation({
  ...shared,
  name: "createOpenAiImage",
  path: "/v1/images/generations",
  summary: "Create images",
  description:
    "Starts a generation and waits for its pictures. For `n` pictures it starts `n`, unless the model draws several in one.",
  body: z.looseObject({ model: ModelId, response_format: ResponseFormat }),
  publishedBody: OpenAiImageRequest,
  idempotent: true,
  joinsRetries: true,
  responses: { 200: { description: "The pictures", schema: OpenAiImages, headers: generationHeaders } },
  async handler({ ctx: caller, body: { model: id, response_format, ...body }, request, idempotency, client }) {
    const ctx = withLabels(caller, { endUser: body.user });
    const build = async () => ({ model: id, input: toPictureInput(findModel(ctx, id, "image"), body) });
    const facade = "images/generations";
    const count = body.n === undefined || body.n === null ? 1 : countGenerations(findModel(ctx, id, "image"), body.n);
    const { generations, headers } = await runMediaSet({ ctx, request, facade, idempotency, client, build }, count);
    return respond(ctx, generations, response_format, headers);
  },
});

const PICTURE_NAMES = ["image", "images", "image_input", "input_image", "input_images", "image_url", "image_urls"];
const MASK_NAMES = ["mask", "mask_image", "mask_url"];

export const editImage = defineOperation({
  ...shared,
  name: "editOpenAiImage",
  path: "/v1/images/edits",
  summary: "Edit images",
  description: "Stores the pictures of the form as files, starts a generation with them and waits for its pictures.",
  form: OpenAiImageForm,
  requestHeaders: CreationHeaders,
  responses: { 200: { description: "The pictures", schema: OpenAiImages, headers: generationHeaders } },
  handler: ({ ctx: caller, request }) =>
    withForm(caller, request, "images/edits", async (form, retry) => {
      const ctx = withLabels(caller, { endUser: form.fields.get("user")?.[0] });
      const { model: id, response_format, ...body } = readFields(ctx, form);
      const format = ResponseFormat.safeParse(response_format);
      if (!format.success) throw invalidInput("response_format", 'must be "b64_json" or "url"');
      const build = async () => {
        const model = findModel(ctx, id, "image");
        const input = { ...toPictureInput(model, body), ...(await keepPictures(ctx, id, form)) };
        form.release();
        return { model: id, input };
      };
      const count = body.n === undefined ? 1 : countGenerations(getModel(ctx, id), body.n);
      const facade = "images/edits";
      const { generations, headers } = await runMediaSet({ ctx, request, facade, ...retry, build }, count);
      return respond(ctx, generations, format.data, headers);
    }),
});

/** Returns the fields of a form, converted to the types of the model's parameters. Throws 400 and 404. */
export function readFields(ctx: Callers["key"], { fields }: Form): { model: string } & Record<string, unknown> {
  const id = fields.get("model")?.[0];
  if (!id) throw invalidInput("model", "is required");
  const model = getModel(ctx, id);
  const values = [...fields].map(([name, texts]): [string, unknown] => {
    if (name === "n") return [name, Number(texts[0])];
    if (name === "stream") return [name, texts[0] === "true"];
    const isList = [model.parametersSchema.properties[name]?.type].flat().includes("array");
    return [name, isList || texts.length > 1 ? texts : convertText(model, name, texts[0]!)];
  });
  return { ...Object.fromEntries(values), model: id };
}

/** Stores the pictures and the mask of a form and returns the parameters that name them. Throws 400 for any other file. */
async function keepPictures(ctx: Callers["key"], id: string, { files }: Form): Promise<Record<string, unknown>> {
  const model = getModel(ctx, id);
  const pictures = files.filter(({ field }) => field === "image");
  const masks = files.filter(({ field }) => field === "mask");
  const other = files.find(({ field }) => field !== "image" && field !== "mask");
  if (other) throw invalidInput(other.field, "must not be a file");
  if (pictures.length === 0) throw invalidInput("image", "is missing: the form must have a file of this name");
  const parameter = findFileParameter(model, PICTURE_NAMES, "any");
  if (!parameter) throw invalidInput("model", "does not edit pictures");
  if (!parameter.isList && pictures.length > 1) throw invalidInput("image", "must be one picture for this model");
  const urls: string[] = [];
  for (const picture of pictures) urls.push(await keepFile(ctx, picture));
  return {
    [parameter.name]: parameter.isList ? urls : urls[0],
    ...(await keepMask(ctx, model, masks)),
  };
}

/** Stores the mask of a form, if any, and returns the parameter that names it. Throws 400 if the model has none. */
async function keepMask(ctx: Ctx<Hub>, model: Model, [mask, second]: SentFile[]): Promise<Record<string, unknown>> {
  if (!mask) return {};
  if (second) throw invalidInput("mask", "must be given once");
  const parameter = findFileParameter(model, MASK_NAMES, "none");
  if (!parameter) throw invalidInput("mask", "is not supported by this model");
  const url = await keepFile(ctx, mask);
  return { [parameter.name]: parameter.isList ? [url] : url };
}

async function respond(
  ctx: Ctx<Hub>,
  generations: Generation[],
  format: (typeof formats)[number] | null | undefined,
  headers: Record<string, string>,
): Promise<ImmediateResult> {
  const { hub } = ctx;
  const pictures = generations
    .flatMap(({ outputs }) => outputs)
    .filter(({ media_type }) => media_type.startsWith("image/"));
  if (pictures.length === 0) throw unusableOutput();
  const created = Math.floor(Math.max(...generations.map(({ completed_at }) => completed_at!.getTime())) / 1000);
  if (format === "url") {
    const expires = new Date(hub.now().getTime() + LINK_MS);
    return { headers, json: { created, data: pictures.map(({ id }) => ({ url: signLink(hub, id, expires) })) } };
  }
  const files: FileRow[] = [];
  for (const { id } of pictures) files.push(await findFile(ctx, id));
  const stream = Readable.from(writePictures(hub, created, files), { objectMode: false });
  return {
    headers: { ...headers, "Content-Type": "application/json" },
    content: Readable.toWeb(stream) as unknown as ReadableStream,
  };
}

/** Yields the response in pieces, so that no whole picture is in memory. */
async function* writePictures(hub: Hub, created: number, files: FileRow[]): AsyncGenerator<string> {
  yield `{"created":${created},"data":[`;
  for (const [index, file] of files.entries()) {
    yield `${index > 0 ? "," : ""}{"b64_json":"`;
    yield* encodeBase64(await openContent(hub, file));
    yield '"}';
  }
  yield `],"output_format":${JSON.stringify(files[0]!.media_type.replace(/^image\//, ""))}}`;
}

const BASE64_GROUP = 3;

async function* encodeBase64(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of content) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk);
    const whole = bytes.length - (bytes.length % BASE64_GROUP);
    yield bytes.toString("base64", 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString("base64");
}
