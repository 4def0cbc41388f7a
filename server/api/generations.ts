import { z } from "@hono/zod-openapi";
import { generationActions } from "../actions/generations";
import {
  getStoredGeneration,
  hasRoomToWait,
  listAttempts,
  listStoredGenerations,
  serializeAttempts,
  serializeGeneration,
  serializeTotal,
  waitForEnd,
} from "../domain/generations/read";
import { rejectBatchRecord } from "../domain/batches";
import { startGeneration } from "../domain/generations/intake";
import { isFinal } from "../domain/generations/row";
import { checkLabels, withLabels } from "../domain/labels";
import { withRetention } from "../domain/retention";
import { type Callers, defineOperation, type ImmediateResult, serveAction } from "./operation";
import { readWait } from "./prefer";
import { acceptedGeneration, canceledGeneration } from "./schemas/example-generation";
import { AttemptList, Generation, GenerationPage, GenerationQuery, GenerationRequest } from "./schemas/generation";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/generations";
const params = z.object({ id: uuid.openapi({ description: "Id of a generation" }) });
const shared = { tag: "Generations", auth: "key" } as const;
const PREFERENCE_APPLIED = "For how long the response waited at most, such as `wait=30`, if the request preferred that";
const links = { getGeneration: "/id", cancelGeneration: "/id", eraseGeneration: "/id", listAttempts: "/id" } as const;

export const createGeneration = defineOperation({
  ...shared,
  name: "createGeneration",
  method: "post",
  path: PATH,
  summary: "Create a generation",
  description:
    "Holds the estimate and queues the generation. With an `Idempotency-Key` you can safely repeat the request: it " +
    "returns the finished generation (200, for a week after its end), or 503 `generation_in_progress` while it runs. A " +
    "file parameter (`format: uri`) accepts an http(s) URL, one of your file URLs, or `sha256:` followed by the hash of the content. " +
    "Content that you have not uploaded yet is listed in `missing`, and the generation is `awaiting_supply`: it is " +
    "queued when everything is uploaded and fails with `supply_timeout` after a day. `metadata` and `end_user` label it; the " +
    "headers `X-Hub-Metadata: team=blue, run=7` and `X-Hub-End-User` do the same on every path that makes a generation. With " +
    "`Prefer: wait=30` (1 to 60 seconds) the response is 200 with the final generation as soon as it has ended, and 202 if it " +
    "has not ended by then.",
  cost: "write",
  body: GenerationRequest,
  idempotent: true,
  requestHeaders: z.object({
    Prefer: z.string().optional().openapi({
      description:
        "`wait=30` waits up to 30 seconds for the final generation, `wait` up to 60; anything else is ignored",
    }),
  }),
  responses: {
    202: {
      description: "Generation accepted",
      schema: Generation,
      example: acceptedGeneration,
      headers: { Location: "URL of the generation", "Preference-Applied": PREFERENCE_APPLIED },
      links,
    },
    200: {
      description: "The final generation: of a request that waited for it, or with the same idempotency key",
      schema: Generation,
      headers: {
        Location: "URL of the generation",
        "Idempotent-Replayed": "`true` for a repeated request",
        "Preference-Applied": PREFERENCE_APPLIED,
      },
      links,
    },
  },
  problems: [
    "insufficient_credits",
    "model_not_found",
    "idempotency_conflict",
    "no_route_available",
    "generation_in_progress",
  ],
  async handler({ ctx, body: { metadata, end_user: endUser, retention, ...body }, idempotency, request }) {
    checkLabels(ctx, request.headers, metadata);
    await rejectBatchRecord(ctx, body.batch_id);
    const labeled = withRetention(withLabels(ctx, { metadata, endUser }), retention);
    const { generation, replayed } = await startGeneration(labeled, body, idempotency);
    const { id } = generation;
    const headers: Record<string, string> = { Location: `${PATH}/${id}` };
    if (replayed) headers["Idempotent-Replayed"] = "true";
    const seconds = replayed ? null : readWait(request.headers);
    if (seconds === null || !hasRoomToWait(ctx.hub))
      return { status: replayed ? 200 : 202, headers, json: serializeGeneration(ctx.hub, generation) };
    headers["Preference-Applied"] = `wait=${seconds}`;
    return { wait: () => waitForGeneration(ctx, { id, seconds, signal: request.signal }, headers) };
  },
});

/** Waits for a generation that the client of `signal` has created; the generation continues when the client disconnects. */
async function waitForGeneration(
  ctx: Callers["key"],
  { id, seconds, signal }: { id: string; seconds: number; signal: AbortSignal },
  headers: Record<string, string>,
): Promise<ImmediateResult> {
  await waitForEnd(ctx.hub, id, seconds * 1000, signal);
  const generation = await getStoredGeneration(ctx, id);
  const status = isFinal(generation.status) ? 200 : 202;
  return { status, headers, json: serializeGeneration(ctx.hub, generation) };
}

export const listGenerations = defineOperation({
  ...shared,
  name: "listGenerations",
  method: "get",
  path: PATH,
  summary: "List generations",
  description:
    "Returns your generations, newest first, with the billed total of all that match. `q` searches their inputs, and " +
    "`metadata.KEY=VALUE` finds what you have labeled. Use a cursor only with the same filters.",
  cost: "read",
  isConditional: true,
  query: GenerationQuery,
  responses: { 200: { description: "One page of generations", schema: GenerationPage } },
  problems: [],
  async handler({ ctx, query: { to: until, ...query } }) {
    const { data, next_cursor, ...total } = await listStoredGenerations(ctx, { ...query, until });
    const page = data.map((generation) => serializeGeneration(ctx.hub, generation));
    return { json: { data: page, next_cursor, ...serializeTotal(total) } };
  },
});

export const getGeneration = defineOperation({
  ...shared,
  name: "getGeneration",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "Retrieve a generation",
  description:
    "Returns the status, cost and outputs of a generation. While you poll, send the `ETag` of the last response as " +
    "`If-None-Match`: you get 304 without content until something has changed.",
  cost: "read",
  isConditional: true,
  params,
  responses: { 200: { description: "The generation", schema: Generation } },
  problems: ["generation_not_found"],
  handler: async ({ ctx, params }) => ({
    json: serializeGeneration(ctx.hub, await getStoredGeneration(ctx, params.id!)),
  }),
});

export const cancelGeneration = serveAction(generationActions.cancel, {
  ...shared,
  name: "cancelGeneration",
  method: "post",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel a generation",
  description:
    "Cancels a generation that has not started, at no cost, or that runs on a worker, for the GPU time used. With " +
    "`stop_running: true` it also stops one that runs at a provider, as far as the provider can: the request waits up to " +
    "ten seconds, and `billed_cost` is what the provider bills, at most the estimate. Canceling again returns the same " +
    "generation. Returns 409 `generation_not_cancelable` if it has ended or continues to run; a request to stop it " +
    "remains recorded.",
  params,
  responses: { 200: { description: "The canceled generation", schema: Generation, example: canceledGeneration } },
  problems: ["generation_not_found", "generation_not_cancelable"],
});

export const eraseGenerationOperation = serveAction(generationActions.erase, {
  ...shared,
  name: "eraseGeneration",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Erase a generation's content",
  description:
    "Erases the content of a generation that has ended, at once and for good: its input, words, labels, outputs, thumbnails, reply " +
    "and the messages of errors. The record stays with its ids, times, model, tokens and costs, and so does what you paid. Webhooks " +
    "that are sent again have the reduced record, and a repeated request with its idempotency key returns it. Your uploads stay " +
    "until they expire. Repeating the request changes nothing.",
  params,
  responses: { 204: { description: "Erased" } },
  problems: ["generation_not_found", "invalid_state"],
});

export const listAttemptsOperation = defineOperation({
  ...shared,
  name: "listAttempts",
  method: "get",
  path: `${PATH}/{id}/attempts`,
  summary: "List attempts",
  description:
    "Returns every attempt to run the generation on a route, oldest first, and the routes that were skipped before each.",
  cost: "read",
  params,
  responses: { 200: { description: "The attempts", schema: AttemptList } },
  problems: ["generation_not_found"],
  handler: async ({ ctx, params }) => ({ json: { data: serializeAttempts(await listAttempts(ctx, params.id!)) } }),
});
