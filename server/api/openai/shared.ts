import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../errors";

/** What the operations of OpenAI's API that make a generation have in common. */
export const shared = {
  method: "post",
  tag: "Generations",
  auth: "key",
  cost: "write",
  envelope: "openai",
  problems: [
    "insufficient_credits",
    "model_not_found",
    "file_expired",
    "no_route_available",
    "idempotency_conflict",
    "generation_in_progress",
    "provider_error",
  ] as ErrorCode[],
} as const;

export const ModelId = z.string().min(1).max(200);

/** Headers of the responses of operations that make a generation. */
export const generationHeaders = {
  "X-Generation-Id": "Id of the generation; `GET /api/v1/hub/generations/{id}` has its status and cost",
  "Idempotent-Replayed": "`true` if the response belongs to an earlier request with the same key",
};
