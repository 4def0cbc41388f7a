import { z } from "zod";
import { type Ctx, onlyKeyOf, runBodyWork } from "../../../context";
import { cancelStoredGeneration } from "../../../domain/generations/end";
import type { Idempotency } from "../../../domain/generations/replay";
import type { Hub } from "../../../domain/hub";
import { withLabels } from "../../../domain/labels";
import { findFunds } from "../../../domain/ledger";
import { findCheaperInputs } from "../../../domain/models";
import { findOrStartGeneration } from "../../../domain/openai";
import { invalidInput, isAppError } from "../../../errors";
import { hashCanonicalJson } from "../../../lib/canonical";
import { describeCheaper } from "../describe-cheaper";
import { describeGeneration } from "../describe-generation";
import * as schemas from "../schemas";
import { defineTool, readOnly } from "../tool";
import { withNextStep } from "../tool-error";

/** Returns the scope of this tool's idempotency keys; an API key that sees only its own generations has a separate one. */
function facadeOf({ actor }: Ctx<Hub>): string {
  const onlyKey = onlyKeyOf(actor);
  return onlyKey === null ? "mcp" : `mcp/${onlyKey}`;
}

const Request = z.object({
  model: schemas.modelId,
  input: schemas.input,
  metadata: schemas.metadata,
  end_user: schemas.endUser,
});
type Request = z.output<typeof Request>;

export const generateTool = defineTool({
  name: "generate",
  title: "Generate",
  description:
    "Starts a generation, which costs money, and waits for it. Returns its outputs as links. If it is not finished in " +
    "time, it continues: call get_generation. Give an idempotency_key and repeat the call with it after a timeout; without " +
    "one each call starts and pays for a new generation.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  cost: "write",
  input: Request.extend({
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("A text of your own, new for each result that you want; the same one never starts or charges twice"),
    wait_seconds: schemas.waitSeconds(),
    inline_images: schemas.inlineImages,
  }),
  output: schemas.generation,
  async handler(exchange, { model, input, metadata, end_user, idempotency_key, ...options }) {
    const ctx = withLabels(exchange.ctx, { metadata, endUser: end_user });
    const request = { model, input, ...(metadata && { metadata }), ...(end_user !== undefined && { end_user }) };
    const idempotency = await readKey(ctx, request, idempotency_key);
    const { id, replayed } = await start(ctx, request, idempotency);
    const { output, content } = await describeGeneration(exchange, id, options);
    return { output: { ...output, ...(replayed && { replayed }) }, content };
  },
});

/** Returns the key that the agent gave. None is derived from the input, because two equal calls may both be intended. */
async function readKey(ctx: Ctx<Hub>, request: Request, key: string | undefined): Promise<Idempotency | null> {
  if (key !== undefined)
    return { key, facade: facadeOf(ctx), fingerprint: await runBodyWork(ctx, () => hashCanonicalJson(request)) };
  if (ctx.actor.kind === "key" && ctx.actor.requireIdempotency)
    throw invalidInput("idempotency_key", "is required for this API key");
  return null;
}

async function start(ctx: Ctx<Hub>, { model, input }: Request, idempotency: Idempotency | null) {
  const request = { model, input };
  try {
    return await findOrStartGeneration(ctx, { build: () => Promise.resolve(request), idempotency, client: null });
  } catch (error) {
    if (!isAppError(error) || error.code !== "insufficient_credits") throw error;
    const { available } = await findFunds(ctx);
    throw withNextStep(error, describeCheaper(findCheaperInputs(ctx, request, available)));
  }
}

export const getGenerationTool = defineTool({
  name: "get_generation",
  title: "Get a generation",
  description:
    "Returns the status, cost and outputs of a generation, after waiting for its end if wait_seconds is given.",
  annotations: readOnly,
  input: z.object({
    id: schemas.generationId,
    wait_seconds: schemas.waitSeconds(0),
    inline_images: schemas.inlineImages,
  }),
  output: schemas.generation,
  handler: (exchange, { id, ...options }) => describeGeneration(exchange, id, options),
});

export const cancelGenerationTool = defineTool({
  name: "cancel_generation",
  title: "Cancel a generation",
  description:
    "Cancels a generation that has not started, at no cost, or one that runs on a GPU worker, for the time used. With " +
    "stop_running it also stops one that runs at a provider, which may bill up to the estimate.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  cost: "write",
  input: z.object({
    id: schemas.generationId,
    stop_running: z.boolean().optional().describe("Whether to stop it at a provider that is working on it"),
  }),
  output: schemas.generation,
  async handler(exchange, { id, stop_running: stopRunning }) {
    await cancelStoredGeneration(exchange.ctx, id, { stopRunning });
    return describeGeneration(exchange, id, { wait_seconds: 0, inline_images: false });
  },
});
