import { z } from "@hono/zod-openapi";
import { buffer } from "node:stream/consumers";
import type { Ctx } from "../../context";
import { type FileRow, findFile, openContent } from "../../domain/files";
import type { Generation } from "../../domain/generations/row";
import type { Hub } from "../../domain/hub";
import { getModel } from "../../domain/models";
import {
  findFileParameter,
  findModel,
  givenMembers,
  keepFile,
  SPEECH_DEFAULTS,
  TRANSCRIPTION_DEFAULTS,
  unusableOutput,
  withoutDefaults,
} from "../../domain/openai";
import { invalidInput } from "../../errors";
import { streamFile } from "../content";
import { type Callers, defineOperation, type ImmediateResult } from "../operation";
import type { Form } from "./form";
import { readFields } from "./images";
import { CreationHeaders } from "../schemas/creation-headers";
import { OpenAiSpeechRequest, OpenAiTranscription, OpenAiTranscriptionForm } from "../schemas/openai";
import { runMedia, withForm } from "./route";
import { generationHeaders, ModelId, shared } from "./shared";

const TEXT_NAMES = ["input", "text", "prompt"];

export const createSpeech = defineOperation({
  ...shared,
  name: "createOpenAiSpeech",
  path: "/v1/audio/speech",
  summary: "Create speech",
  description: "Starts a generation that speaks a text and returns the recording.",
  body: z.looseObject({ model: ModelId, input: z.string() }),
  publishedBody: OpenAiSpeechRequest,
  idempotent: true,
  joinsRetries: true,
  responses: { 200: { description: "The recording", content: "audio/*", headers: generationHeaders } },
  async handler({ ctx, body: { model: id, input: text, ...body }, request, idempotency, client }) {
    const build = async () => {
      const { stream_format, ...rest } = givenMembers(body);
      if (stream_format !== undefined && stream_format !== "audio")
        throw invalidInput("stream_format", 'must be "audio": events are not streamed');
      const model = findModel(ctx, id, "audio");
      const { properties } = model.parametersSchema;
      const name = TEXT_NAMES.find((known) => Object.hasOwn(properties, known));
      if (!name) throw invalidInput("model", "does not generate speech");
      return { model: id, input: { ...withoutDefaults(model, rest, SPEECH_DEFAULTS), [name]: text } };
    };
    const facade = "audio/speech";
    const { generation, headers } = await runMedia({ ctx, request, facade, idempotency, client, build });
    const file = await findOutput(
      ctx,
      generation,
      (type) => type.startsWith("audio/") || type.startsWith("application/"),
    );
    const content = { "Content-Type": file.media_type, "Content-Length": String(file.size) };
    return { headers: { ...headers, ...content }, content: await streamFile(ctx.hub, file) };
  },
});

const FILE_NAMES = ["file", "audio", "audio_url", "recording"];
/** Fits the text of a long recording with the time of every word. */
const MAX_BYTES = 16 * 1024 * 1024;

export const createTranscription = defineOperation({
  ...shared,
  name: "createOpenAiTranscription",
  path: "/v1/audio/transcriptions",
  summary: "Transcribe a recording",
  description: "Stores the recording of the form as a file, starts a generation with it and returns its text.",
  form: OpenAiTranscriptionForm,
  requestHeaders: CreationHeaders,
  responses: { 200: { description: "The text", schema: OpenAiTranscription, headers: generationHeaders } },
  handler: ({ ctx, request }) =>
    withForm(ctx, request, "audio/transcriptions", async (form, retry) => {
      const { model: id, stream, ...input } = readFields(ctx, form);
      if (stream) throw invalidInput("stream", "must be false: transcriptions are not streamed");
      const { properties } = getModel(ctx, id).parametersSchema;
      const { response_format: format = "json", ...rest } = input;
      const isPassed = Object.hasOwn(properties, "response_format");
      if (!isPassed && format !== "json" && format !== "text")
        throw invalidInput("response_format", 'must be "json" or "text" for this model');
      const build = async () => {
        const model = findModel(ctx, id, "text");
        const recording = await keepRecording(ctx, id, form);
        form.release();
        const passed = isPassed && input.response_format !== undefined ? { response_format: format } : {};
        const given = withoutDefaults(model, rest, TRANSCRIPTION_DEFAULTS);
        return { model: id, input: { ...given, ...passed, ...recording } };
      };
      const { generation, headers } = await runMedia({ ctx, request, facade: "audio/transcriptions", ...retry, build });
      return respond(ctx, generation, String(format), headers);
    }),
});

async function keepRecording(ctx: Callers["key"], id: string, { files }: Form): Promise<Record<string, unknown>> {
  const [file, second] = files;
  if (file?.field !== "file") throw invalidInput("file", "is missing: the form must have a file of this name");
  if (second) throw invalidInput(second.field, "must be the only file of the form");
  const parameter = findFileParameter(getModel(ctx, id), FILE_NAMES, "any");
  if (!parameter) throw invalidInput("model", "does not transcribe recordings");
  const url = await keepFile(ctx, file);
  return { [parameter.name]: parameter.isList ? [url] : url };
}

const isText = (type: string) => type.startsWith("text/") || type === "application/json";

/** Returns the text as the model produced it, converted from or to JSON if the caller requested that. */
async function respond(
  ctx: Ctx<Hub>,
  generation: Generation,
  format: string,
  headers: Record<string, string>,
): Promise<ImmediateResult> {
  const file = await findOutput(ctx, generation, isText);
  if (Number(file.size) > MAX_BYTES) throw unusableOutput();
  const text = (await buffer(await openContent(ctx.hub, file))).toString();
  if (file.media_type === "application/json") {
    if (format !== "text") return { headers, text };
    const parsed = (await ctx.hub.json.parse(new Uint8Array(Buffer.from(text)), { fatal: false })) as {
      text?: unknown;
    };
    return plain(typeof parsed?.text === "string" ? parsed.text : text, "text/plain", headers);
  }
  if (format === "json") return { headers, json: { text: text.trimEnd() } };
  return plain(text, file.media_type, headers);
}

const plain = (text: string, type: string, headers: Record<string, string>): ImmediateResult => ({
  headers: { ...headers, "Content-Type": `${type}; charset=utf-8` },
  content: new Uint8Array(Buffer.from(text)),
});

async function findOutput(
  ctx: Ctx<Hub>,
  { outputs }: Generation,
  isWanted: (type: string) => boolean,
): Promise<FileRow> {
  const output = outputs.find(({ media_type }) => isWanted(media_type));
  if (!output) throw unusableOutput();
  return findFile(ctx, output.id);
}
