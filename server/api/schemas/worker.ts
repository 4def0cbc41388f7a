import { z } from "@hono/zod-openapi";
import { Status } from "./generation";
import { input, modelId, time, uuid } from "./values";

const MAX_CHECKPOINT = 64 * 1024;

const fence = z
  .int()
  .min(1)
  .max(1_000_000)
  .openapi({ description: "Of the lease; an answer with an older one counts for nothing", example: 1 });
const gpuMs = z
  .int()
  .min(0)
  .openapi({ description: "GPU time under this lease so far, in milliseconds; it counts up to the time that passed" });
const checkpoint = z.unknown().openapi({ description: "What a worker left for the next one; null when none did" });

export const ClaimRequest = z
  .strictObject({
    models: z
      .array(modelId.min(1).max(200))
      .min(1, "must name at least one model")
      .max(100)
      .transform((models) => [...new Set(models)])
      .openapi({ description: "Ids of the models that the worker can serve" }),
    wait_seconds: z
      .number()
      .min(0)
      .max(30)
      .default(0)
      .openapi({ description: "How long to wait for a job when there is none" }),
  })
  .openapi("ClaimRequest");

export const Job = z
  .object({
    lease: z.object({ id: uuid, fence, expires_at: time }),
    generation: z.object({
      id: uuid,
      model: modelId,
      input: input.openapi({ description: "As the customer sent it; files of the hub are signed links" }),
      checkpoint,
    }),
  })
  .openapi("Job");

export const HeartbeatRequest = z
  .strictObject({
    fence,
    progress: z.number().min(0).max(1).optional().openapi({ description: "It never falls" }),
    gpu_ms: gpuMs.optional(),
    checkpoint: z
      .unknown()
      .refine((value) => value === undefined || Buffer.byteLength(JSON.stringify(value)) <= MAX_CHECKPOINT, {
        error: `must have at most ${MAX_CHECKPOINT} bytes as JSON; keep large ones elsewhere`,
      })
      .optional()
      .openapi({ description: "Any JSON of at most 64 KiB, for the next worker should this one be lost" }),
  })
  .openapi("HeartbeatRequest");

export const Heartbeat = z
  .object({
    cancel: z.boolean().openapi({ description: "The customer has canceled: stop, there is nothing left to answer" }),
    expires_at: time.openapi({ description: "When the lease lapses without another heartbeat" }),
  })
  .openapi("Heartbeat");

export const CompleteRequest = z.strictObject({ fence, gpu_ms: gpuMs }).openapi("CompleteRequest");

export const FailRequest = z
  .strictObject({
    fence,
    gpu_ms: gpuMs,
    code: z
      .string()
      .min(1)
      .max(100)
      .openapi({ description: "One of a Failure's codes; any other is shown as provider_error" }),
    message: z.string().min(1).max(2_000).openapi({ description: "For the customer" }),
    retryable: z.boolean().openapi({ description: "Another worker may take it, three times at most" }),
  })
  .openapi("FailRequest");

export const LeaseEnd = z.object({ status: Status }).openapi("LeaseEnd");

export const StoredOutput = z.object({ index: z.int(), size: z.int() }).openapi("StoredOutput");

export const OutputQuery = z.object({
  fence: z
    .string()
    .regex(/^\d{1,7}$/, "must be the lease's fence")
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, description: "Of the lease" }),
});
