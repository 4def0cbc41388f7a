import { z } from "@hono/zod-openapi";
import { Status } from "./generation";
import { input, modelId, time, uuid } from "./values";

/** The job that the API description shows: the training of a character. */
const exampleJob = {
  lease: { id: "019aa535-9c30-7d45-8e2b-6a1f0b7c4d93", fence: 1, expires_at: "2026-11-21T08:01:00.000Z" },
  generation: {
    id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
    model: "sandbox-trainer",
    input: {
      images: [
        "https://hub.example/api/v1/hub/files/019aa534-1d00-7f08-9a5c-3e7b2d6f8c41?expires=1795248060&signature=q0Zk1V",
      ],
      trigger_word: "ada42",
      steps: 20,
    },
    checkpoint: null,
  },
};

const MAX_CHECKPOINT_BYTES = 64 * 1024;

const MAX_LOG_LINES = 20;
const MAX_LINE_LENGTH = 2_000;
/** 512 KiB as base64. */
const MAX_PREVIEW_LENGTH = 700_000;

const fence = z
  .int()
  .min(1)
  .max(1_000_000)
  .openapi({ description: "Fence of the lease; reports with an older fence are rejected", example: 1 });
const gpuMs = z.int().min(0).openapi({
  description: "GPU time used under this lease, in milliseconds; limited to the time elapsed",
  example: 12_000,
});
const checkpoint = z.unknown().openapi({ description: "Checkpoint of the previous worker; null if there is none" });

export const ClaimRequest = z
  .strictObject({
    models: z
      .array(modelId.min(1).max(200))
      .min(1, "must name at least one model")
      .max(100)
      .transform((models) => [...new Set(models)])
      .openapi({ description: "Ids of the models that the worker can serve", example: ["sandbox-trainer"] }),
    wait_seconds: z
      .number()
      .min(0)
      .max(30)
      .default(0)
      .openapi({ description: "How long to wait for a job if none is available" }),
  })
  .openapi("ClaimRequest");

export const Job = z
  .object({
    lease: z.object({ id: uuid, fence, expires_at: time }).openapi("JobLease"),
    generation: z
      .object({
        id: uuid,
        model: modelId,
        input: input.openapi({ description: "Input as the customer sent it, with signed links to files of the hub" }),
        checkpoint,
      })
      .openapi("JobGeneration"),
  })
  .openapi("Job", { example: exampleJob });

export const HeartbeatRequest = z
  .strictObject({
    fence,
    progress: z.number().min(0).max(1).optional().openapi({ description: "Never decreases", example: 0.4 }),
    gpu_ms: gpuMs.optional(),
    checkpoint: z
      .unknown()
      .refine((value) => value === undefined || Buffer.byteLength(JSON.stringify(value)) <= MAX_CHECKPOINT_BYTES, {
        error: `must have at most ${MAX_CHECKPOINT_BYTES} bytes as JSON; keep large ones elsewhere`,
      })
      .optional()
      .openapi({ description: "Any JSON of at most 64 KiB, for the next worker if this one is lost" }),
    log: z
      .array(z.string().max(MAX_LINE_LENGTH))
      .max(MAX_LOG_LINES)
      .optional()
      .openapi({
        description:
          "Lines for the customer, oldest first, shown while the generation runs. The newest ten a second are kept, without what looks like a secret or an address",
        example: ["step 8 of 20"],
      }),
    preview: z
      .base64("must be a picture in base64")
      .max(MAX_PREVIEW_LENGTH)
      .transform((text) => Buffer.from(text, "base64"))
      .optional()
      .openapi({
        type: "string",
        description:
          "A PNG, JPEG, WebP, GIF or AVIF of the work so far, of at most 512 KiB and four megapixels, as base64. Shown 256 pixels wide while the generation runs, one a second; others are ignored",
      }),
  })
  .openapi("HeartbeatRequest");

export const Heartbeat = z
  .object({
    cancel: z
      .boolean()
      .openapi({ description: "Whether the customer canceled the generation; if so, stop without a report" }),
    expires_at: time.openapi({ description: "When the lease expires without another heartbeat" }),
  })
  .openapi("Heartbeat");

export const CompleteRequest = z.strictObject({ fence, gpu_ms: gpuMs }).openapi("CompleteRequest");

export const FailRequest = z
  .strictObject({
    fence,
    gpu_ms: gpuMs,
    code: z.string().min(1).max(100).openapi({
      description: "A failure code; any other value is reported as provider_error",
      example: "provider_error",
    }),
    message: z
      .string()
      .min(1)
      .max(2_000)
      .openapi({ description: "Message for the customer", example: "The GPU ran out of memory." }),
    retryable: z
      .boolean()
      .openapi({ description: "Whether another worker may retry the job, up to three times", example: true }),
  })
  .openapi("FailRequest");

export const LeaseEnd = z.object({ status: Status }).openapi("LeaseEnd");

export const StoredOutput = z
  .object({
    index: z.int(),
    size: z
      .int()
      .openapi({ description: "Bytes that are stored, with the mark of a generated output", example: 48213 }),
  })
  .openapi("StoredOutput");

export const OutputQuery = z.object({
  fence: z
    .string()
    .regex(/^\d{1,7}$/, "must be the lease's fence")
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, description: "Fence of the lease", example: 1 }),
});
