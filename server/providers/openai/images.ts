import { z } from "zod";
import type { ApiResponse } from "../http/call-api";
import { decodeBase64, decodeDataUri } from "../http/data-uri";
import { failAfterStart } from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import type { Job, JobState, ProviderOutput } from "../job";
import type { ProviderIo } from "../provider";
import { api, type Endpoint } from "./endpoint";
import { buildForm } from "./build-form";

const MAX_BYTES = 64 * 1024 * 1024;

/** Returns whether an input has pictures to edit. */
export const hasPictures = ({ image }: Record<string, unknown>): boolean =>
  typeof image === "string" || (Array.isArray(image) && image.length > 0);

/** Draws pictures from a text. */
export const generations: Endpoint = {
  path: "/images/generations",
  maxBytes: MAX_BYTES,
  // An empty list of pictures is not a parameter of this endpoint.
  buildBody: ({ input, upstreamModel }) => ({ json: { ...input, image: undefined, model: upstreamModel } }),
  readResponse,
};

/** Draws pictures from others. */
export const edits: Endpoint = {
  path: "/images/edits",
  maxBytes: MAX_BYTES,
  buildBody: async ({ input, upstreamModel }, io) => ({
    form: await buildForm({ ...input, model: upstreamModel }, ["image", "mask"], io),
  }),
  readResponse,
};

/** GPT Image models report tokens. Servers that count none report zeros. */
const Usage = z
  .object({ input_tokens: z.number(), output_tokens: z.number().positive() })
  .transform(({ input_tokens: input, output_tokens: output }) => ({ tokens: { input, output } }))
  .optional()
  .catch(undefined);

/** Members that are not used are not checked: compatible servers leave them out, or have others. */
const Images = z.object({
  data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })).nullish(),
  output_format: z.string().nullish(),
  usage: Usage,
});

function readResponse({ body }: ApiResponse, job: Job, io: ProviderIo): JobState | null {
  const images = Images.safeParse(body);
  if (!images.success) return null;
  const mediaType = mediaTypeOf(images.data.output_format ?? job.input.output_format);
  const outputs = (images.data.data ?? []).flatMap(({ b64_json, url }): ProviderOutput[] => {
    if (b64_json) return [b64_json.startsWith("data:") ? decodeDataUri(b64_json) : decodeBase64(b64_json, mediaType)];
    return url ? [downloadOutput(api, job.route.provider, io, url, mediaType)] : [];
  });
  if (outputs.length === 0) return emptyResponse;
  return { state: "succeeded", outputs, usage: images.data.usage, upstreamStatus: 200 };
}

function mediaTypeOf(format: unknown): string | null {
  if (typeof format !== "string") return null;
  return format === "svg" ? "image/svg+xml" : `image/${format}`;
}

const emptyResponse = failAfterStart("invalid_output", "The provider returned no picture.", { upstreamStatus: 200 });
