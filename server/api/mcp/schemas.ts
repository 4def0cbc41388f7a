import { z } from "zod";
import { statuses } from "../../domain/generations/row";

export const modelId = z.string().min(1).max(200).describe("Id of a model, from list_models");
export const input = z
  .record(z.string(), z.unknown())
  .describe(
    "The model's parameters, as describe_model shows them. Files are URLs, or sha256: references of upload_file",
  );
export const metadata = z
  .record(z.string(), z.string())
  .optional()
  .describe("Texts of your own that are stored with the generation, such as {team: blue}; up to 16");
export const endUser = z.string().optional().describe("Your own id of the person for whom this is made");
export const generationId = z.string().min(1).max(100).describe("Id of a generation, from generate");
export const euros = z.number().describe("EUR");

/** Clients wait up to 60 seconds for a result, so the default leaves a margin. */
const DEFAULT_WAIT_SECONDS = 45;
const MAX_WAIT_SECONDS = 60;

export const waitSeconds = (seconds = DEFAULT_WAIT_SECONDS) =>
  z
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(seconds)
    .describe("How long to wait for the end, in seconds; the generation continues after that");

export const inlineImages = z
  .boolean()
  .default(false)
  .describe("Show up to four pictures in the result; large ones as previews of 512 pixels");

const output = z.object({
  index: z.number(),
  media_type: z.string(),
  size: z.number().describe("Bytes"),
  url: z.string().describe("Opens without a key for an hour"),
  file_url: z.string().describe("Use this as a file parameter of another generation"),
});

export const generation = z.object({
  id: z.string(),
  model: z.string(),
  status: z.enum(statuses),
  estimated_cost: euros.describe("Maximum cost in EUR"),
  billed_cost: euros.nullable().describe("What it has cost, in EUR; null while nothing is charged"),
  progress: z.number().nullable(),
  outputs: z.array(output),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
  missing: z.array(z.object({ sha256: z.string(), kind: z.string().nullable() })),
  remaining: euros.describe("What this key may still spend now, in EUR"),
  replayed: z.boolean().optional().describe("True if the idempotency_key was used before: nothing new was started"),
  next: z.string().optional().describe("What to do next"),
});
