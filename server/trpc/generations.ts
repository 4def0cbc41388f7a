import { z } from "zod";
import { generationActions } from "../actions/generations";
import type { Ctx } from "../context";
import { isBatch, listCollapsed, serializeBatch } from "../domain/batches";
import { exposureTo } from "../domain/exposure";
import { findKeptChat, type KeptChat } from "../domain/generations/end";
import { findPreviewUrl, listLogLines } from "../domain/generations/live";
import {
  getStoredGeneration,
  listAttempts,
  listStoredGenerations,
  serializeAttempts,
  serializeGeneration,
  serializeTotal,
  toListItem,
} from "../domain/generations/read";
import { SearchInput } from "../domain/generations/search";
import { LabelFilter } from "../domain/labels";
import { runAgain } from "../domain/generations/intake";
import { type Generation, statuses } from "../domain/generations/row";
import type { Hub } from "../domain/hub";
import { readTypicalSeconds } from "../domain/model-times";
import { expectOutput, findPrice, listModels } from "../domain/models";
import { listAllKeys } from "../domain/keys";
import { findLarger } from "../domain/larger-results";
import { type Price, showPrice } from "../domain/pricing";
import { describeMarks } from "../domain/provenance";
import { listStoredOutputs } from "../domain/streams";
import { fromStoredUsage } from "../domain/tokens";
import { listGenerationDeliveries, serializeDelivery } from "../domain/deliveries";
import type { Env } from "../env";
import { invalidInput } from "../errors";
import { isId } from "../lib/id";
import { byId, cursor, mutationOf, pageOrFirst, procedure, router } from "./procedure";
import { hideItemContent, hideRecordContent, isContentHidden } from "./hide-content";

const MAX_RECENT = 8;
const PAGE = 20;

export const generations = router({
  recent: procedure("read").query(async ({ ctx }) => {
    const { data, batches } = await listCollapsed(ctx, { limit: MAX_RECENT, exclude_llm: false });
    return {
      data: data.map((generation) => hideItemContent(ctx.actor, toListItem(ctx.hub, generation))),
      batches: batches.map(serializeBatch),
    };
  }),

  list: procedure("read")
    .input(
      z.object({
        status: z.enum(statuses).optional(),
        model: z.string().max(200).optional(),
        batch_id: z.uuid().optional(),
        exclude_llm: z.boolean().optional(),
        cursor,
        ...SearchInput,
        ...LabelFilter,
      }),
    )
    .query(async ({ ctx, input: { cursor, to: until, ...input } }) => {
      // A search for words would reveal what the hidden prompts contain.
      if (isContentHidden(ctx.actor) && input.q !== undefined && !isId(input.q))
        throw invalidInput("q", "must be an id while prompts are hidden");
      if (isContentHidden(ctx.actor) && (input.metadata ?? input.end_user) !== undefined)
        throw invalidInput("metadata", "must be omitted while prompts are hidden, as well as end_user");
      const filters = { ...input, until };
      const { data, next_cursor, batches, ...total } = await pageOrFirst(cursor, (cursor) =>
        listPage(ctx, { ...filters, cursor, limit: PAGE }),
      );
      return {
        data: data.map((generation) => hideItemContent(ctx.actor, toListItem(ctx.hub, generation))),
        batches: batches.map(serializeBatch),
        next_cursor,
        ...serializeTotal(total),
      };
    }),

  /** Returns the model ids by which a list can be filtered. */
  models: procedure("read").query(({ ctx }) => listModels(ctx).map(({ id }) => id)),

  /** Returns the API keys by which a list can be filtered. */
  keys: procedure("read").query(async ({ ctx }) =>
    (await listAllKeys(ctx)).map(({ id, name, revoked_at }) => ({ id, name, isRevoked: revoked_at !== null })),
  ),

  get: procedure("read")
    .input(byId)
    .query(async ({ ctx, input: { id } }) => {
      const exposure = exposureTo(ctx.hub, ctx.actor);
      const generation = await getStoredGeneration(ctx, id);
      const { batch_id } = generation;
      const [attempts, deliveries, outputMarks, chat, isInBatch, progress] = await Promise.all([
        listAttempts(ctx, id),
        listGenerationDeliveries(ctx, id),
        generation.outputs.length > 0 ? describeMarks(ctx, id) : [],
        generation.is_llm && generation.status === "succeeded" ? findKeptChat(ctx, id) : undefined,
        batch_id !== null && isBatch(ctx, batch_id),
        readProgress(ctx, generation),
      ]);
      const serialized = serializeGeneration(ctx.hub, generation, exposure);
      return hideRecordContent(ctx.actor, {
        ...serialized,
        price: showPrice(generation.price as Price),
        /** Whether its `batch_id` is that of a batch. */
        is_in_batch: isInBatch,
        /** Its tokens by class, and the service tier that served it; null if none were recorded. */
        tokens: generation.completed_at && fromStoredUsage(generation),
        /** What running it again would cost at most, in EUR; null if its model or input is no longer accepted. */
        run_again_cost: generation.is_llm ? null : findPrice(ctx, generation.model, generation.input),
        /** What makes its result larger; null if nothing can. */
        larger: findLargerResult(ctx, serialized),
        chat: chat ? serializeKeptChat(ctx, chat) : null,
        deadline_at: generation.deadline_at?.toISOString() ?? null,
        queue_position: generation.queue_position,
        wait_reason: generation.wait_reason,
        expected: expectOutput(ctx.hub, generation),
        ...progress,
        run_url: formatRunUrl(ctx.hub.env, generation.run_id),
        attempts: serializeAttempts(attempts, exposure),
        /** What is known of the marks of its outputs, in words, without repetitions. */
        output_marks: outputMarks,
        deliveries: deliveries.map((delivery) => ({ ...serializeDelivery(delivery), url: delivery.url })),
      });
    }),

  cancel: mutationOf(generationActions.cancel),

  erase: mutationOf(generationActions.erase),

  eraseSelected: mutationOf(generationActions.eraseSelected),

  eraseBefore: mutationOf(generationActions.eraseBefore),

  runAgain: procedure("develop")
    .input(byId)
    .mutation(async ({ ctx, input }) => serializeGeneration(ctx.hub, await runAgain(ctx, input.id))),
});

/** Returns what a generation shows while it runs. */
async function readProgress(ctx: Ctx<Hub>, { id, model, status }: Generation) {
  const isRunning = status === "running";
  // A view has no access to the API, which serves the picture.
  const hasPreview = isRunning && !(ctx.actor.kind === "user" && ctx.actor.view);
  const [log, preview_url, stored_outputs, times] = await Promise.all([
    isRunning ? listLogLines(ctx.hub, [{ id, after: 0n }]) : [],
    hasPreview ? findPreviewUrl(ctx.hub, id) : null,
    isRunning ? listStoredOutputs(ctx.hub, id) : [],
    readTypicalSeconds(ctx.hub),
  ]);
  return {
    /** The newest lines of its log. */
    log: log.map(({ n, at, line }) => ({ n: Number(n), at: at.toISOString(), line })),
    preview_url,
    /** The outputs that the hub has stored so far; their content is available once all of them are. */
    stored_outputs,
    typical_seconds: times.get(model) ?? null,
  };
}

/** Returns a page of generations. Without a filter, batches stand for their generations; a filter finds single ones. */
async function listPage(
  ctx: Ctx<Hub>,
  { exclude_llm = false, ...filters }: Parameters<typeof listStoredGenerations>[1],
) {
  const { limit, cursor, ...others } = filters;
  if (Object.values(others).every((value) => value === undefined))
    return listCollapsed(ctx, { exclude_llm, limit, cursor });
  return { ...(await listStoredGenerations(ctx, { exclude_llm, ...filters })), batches: [] };
}

/** Returns what makes the result of a generation larger; null without a result. */
function findLargerResult(ctx: Ctx<Hub>, generation: ReturnType<typeof serializeGeneration>) {
  const { model, input, is_llm, status, erased_at, outputs } = generation;
  if (is_llm || status !== "succeeded" || erased_at !== null) return null;
  const picture = outputs.find(({ media_type: type }) => type.startsWith("image/"));
  return findLarger(ctx, { model, input, picture: picture?.url });
}

/** Returns what a record shows of a chat: its reply, or why there is none. */
const serializeKeptChat = ({ account }: Ctx<Hub>, chat: KeptChat) => ({
  choices: chat.choices === null ? null : (JSON.parse(chat.choices) as unknown[]),
  deleted_at: chat.deleted_at?.toISOString() ?? null,
  is_keeping_replies: typeof account.replyRetentionDays === "number",
});

/** Returns the page of a run in Inngest's dashboard, or null without a dashboard or before a server runs it. */
function formatRunUrl(env: Pick<Env, "inngest" | "INNGEST_DASHBOARD_URL">, runId: string | null): string | null {
  const { inngest, INNGEST_DASHBOARD_URL: dashboard } = env;
  if (!inngest || !dashboard || !runId) return null;
  const id = encodeURIComponent(runId);
  return dashboard.includes("{run}")
    ? dashboard.replaceAll("{run}", id)
    : `${dashboard.replace(/\/+$/, "")}/run?runID=${id}`;
}
