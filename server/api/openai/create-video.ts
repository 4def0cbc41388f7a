import { z } from "@hono/zod-openapi";
import { withLabels } from "../../domain/labels";
import { findModel, openGeneration } from "../../domain/openai";
import { findReferenceUrl, serializeVideo, toVideoInput, type VideoReference } from "../../domain/videos";
import { AppError, invalidInput } from "../../errors";
import { type Callers, defineOperation, type ImmediateResult } from "../operation";
import { CreationHeaders } from "../schemas/creation-headers";
import { OpenAiVideo, OpenAiVideoForm, OpenAiVideoRequest } from "../schemas/openai";
import type { Form } from "./form";
import { readFields } from "./images";
import { renamePlaces, type RetryArgs, scopeKey, setGenerationId, withForm, withJson } from "./route";
import { generationHeaders, ModelId, shared } from "./shared";

const FACADE = "videos";
/** Fits a picture of 3 MiB as a data URL. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const bodyBounds = { maxBytes: MAX_TEXT_BYTES + 1024 * 1024, maxValues: 20_000 };
const schema = z.looseObject({ model: ModelId });

export const createVideo = defineOperation({
  ...shared,
  name: "createOpenAiVideo",
  path: "/v1/videos",
  summary: "Create a video",
  description:
    "Starts a generation and returns at once; read its status at `/v1/videos/{id}`. `input_reference` is a file of the " +
    "form, or an object with `file_id` or `image_url`.",
  form: OpenAiVideoForm,
  publishedBody: OpenAiVideoRequest,
  requestHeaders: CreationHeaders,
  responses: { 200: { description: "The video, which is queued", schema: OpenAiVideo, headers: generationHeaders } },
  problems: ["insufficient_credits", "model_not_found", "file_expired", "no_route_available", "idempotency_conflict"],
  handler({ ctx, request }) {
    const respond = (body: VideoBody, retry: RetryArgs) => create(ctx, request, body, retry);
    if (/^multipart\//i.test(request.headers.get("content-type") ?? ""))
      return withForm(ctx, request, FACADE, (form, retry) => respond(readForm(ctx, form), retry), MAX_TEXT_BYTES);
    const json = { name: "createOpenAiVideo", schema, bodyBounds };
    return withJson(ctx, request, json, ({ input_reference, ...rest }, retry) =>
      respond({ ...rest, reference: toReference(input_reference) }, retry),
    );
  },
});

interface VideoBody extends Record<string, unknown> {
  model: string;
  reference: VideoReference | undefined;
}

async function create(
  ctx: Callers["key"],
  request: Request,
  { model: id, reference, ...body }: VideoBody,
  { idempotency, client }: RetryArgs,
): Promise<ImmediateResult> {
  let names = new Map<string, string>();
  const build = async () => {
    const model = findModel(ctx, id, "video");
    const url = reference && (await findReferenceUrl(ctx, reference));
    const { input, video, names: renamed } = toVideoInput(model, body, url);
    names = renamed;
    return { model: id, input, video };
  };
  const { generation, replayed } = await openGeneration(withLabels(ctx, { endUser: body.user }), {
    build,
    client,
    idempotency: scopeKey(idempotency, FACADE),
    onGeneration: (generationId) => setGenerationId(request, generationId),
  }).catch((error: unknown) => {
    throw renamePlaces(error, names);
  });
  const { video } = generation;
  if (video === null)
    throw new AppError("generation_not_found", "The video of this Idempotency-Key was deleted. Use a new key.");
  const headers: Record<string, string> = replayed ? { "Idempotent-Replayed": "true" } : {};
  return { headers, json: serializeVideo(ctx.hub, { ...generation, video }) };
}

/** Reads the fields of a form. OpenAI's SDKs send the members of an object as fields such as `input_reference[file_id]`. */
function readForm(ctx: Callers["key"], form: Form): VideoBody {
  const {
    input_reference,
    "input_reference[file_id]": file_id,
    "input_reference[image_url]": image_url,
    ...fields
  } = readFields(ctx, form);
  const texts = [input_reference, file_id, image_url].flat().filter((text) => text !== undefined);
  const other = form.files.find(({ field }) => field !== "input_reference");
  if (other) throw invalidInput(other.field, "must not be a file");
  if (form.files.length + texts.length > 1) throw invalidInput("input_reference", "must be given once");
  if (input_reference !== undefined) return { ...fields, reference: toReference(texts[0]) };
  const reference = texts.length > 0 ? toReference({ file_id, image_url }) : form.files[0];
  return { ...fields, reference };
}

/** Returns a reference that was sent as an object, or as just its URL. */
function toReference(value: unknown): VideoReference | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return { image_url: value };
  if (typeof value !== "object" || Array.isArray(value))
    throw invalidInput("input_reference", "must be an object with file_id or image_url");
  const { file_id, image_url } = value as { file_id?: unknown; image_url?: unknown };
  return { file_id: file_id ?? undefined, image_url: image_url ?? undefined };
}
