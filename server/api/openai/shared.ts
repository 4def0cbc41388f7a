import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../errors";

/** What the operations of OpenAI's API that make a generation have in common. */
export const shared = {
  method: "post",
  tag: "Generations",
  auth: "key",
  cost: "write",
  envelope: "openai",
  problems: [] as ErrorCode[],
} as const;

export const ModelId = z.string().min(1).max(200);
