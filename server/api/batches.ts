import { z } from "@hono/zod-openapi";
import { batchActions } from "../actions/batches";
import { parseAmount } from "../actions/parse-amount";
import { createBatch, getBatch, listBatches, serializeBatch } from "../domain/batches";
import { checkLabels, withLabels } from "../domain/labels";
import { withRetention } from "../domain/retention";

import { defineOperation, serveAction } from "./operation";
import { Batch, BatchPage, BatchQuery, BatchRequest } from "./schemas/batch";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/batches";
const params = z.object({ id: uuid.openapi({ description: "Id of a batch" }) });
const shared = { tag: "Generations", auth: "key" } as const;
const links = { getBatch: "/id", cancelBatch: "/id" } as const;

export const createBatchOperation = defineOperation({
  ...shared,
  name: "createBatch",
  method: "post",
  path: PATH,
  summary: "Create a batch",
  description:
    "Starts up to 1,000 generations of one model: all of them, or none if one input is not valid or the balance does not " +
    "cover the sum of the estimates. Each generation holds its own estimate and settles alone; list them by `batch_id`. " +
    "`metadata` and `end_user` label all of them. With an `Idempotency-Key` you can safely repeat the request, as for a generation. " +
    "The event `batch.completed` reports the end.",
  cost: "write",
  body: BatchRequest,
  bodyBounds: { maxBytes: 16 * 1024 * 1024, maxValues: 100_000 },
  idempotent: true,
  responses: {
    202: {
      description: "Batch accepted",
      schema: Batch,
      headers: { Location: "URL of the batch" },
      links,
    },
    200: {
      description: "The completed batch with the same idempotency key",
      schema: Batch,
      headers: { Location: "URL of the batch", "Idempotent-Replayed": "`true`" },
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
  async handler({ ctx, body: { metadata, end_user: endUser, retention, max_cost, ...body }, idempotency, request }) {
    checkLabels(ctx, request.headers, metadata);
    const maxCost = max_cost === undefined ? undefined : parseAmount(max_cost, "max_cost");
    const { batch, replayed } = await createBatch(
      withRetention(withLabels(ctx, { metadata, endUser }), retention),
      { ...body, maxCost },
      idempotency,
    );
    const headers: Record<string, string> = { Location: `${PATH}/${batch.id}` };
    if (replayed) headers["Idempotent-Replayed"] = "true";
    return { status: replayed ? 200 : 202, headers, json: serializeBatch(batch) };
  },
});

export const listBatchesOperation = defineOperation({
  ...shared,
  name: "listBatches",
  method: "get",
  path: PATH,
  summary: "List batches",
  description: "Returns your batches, newest first.",
  cost: "read",
  query: BatchQuery,
  responses: { 200: { description: "One page of batches", schema: BatchPage } },
  problems: [],
  async handler({ ctx, query }) {
    const { data, next_cursor } = await listBatches(ctx, query);
    return { json: { data: data.map(serializeBatch), next_cursor } };
  },
});

export const getBatchOperation = defineOperation({
  ...shared,
  name: "getBatch",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "Retrieve a batch",
  description: "Returns how many generations of the batch have each status, and what they have cost so far.",
  cost: "read",
  isConditional: true,
  params,
  responses: { 200: { description: "The batch", schema: Batch } },
  problems: ["resource_not_found"],
  handler: async ({ ctx, params }) => ({ json: serializeBatch(await getBatch(ctx, params.id!)) }),
});

export const cancelBatchOperation = serveAction(batchActions.cancel, {
  ...shared,
  name: "cancelBatch",
  method: "post",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel a batch",
  description:
    "Cancels the generations of the batch that have not started, at no cost; running ones continue. Canceling again changes " +
    "nothing; a completed batch returns 409 `generation_not_cancelable`.",
  params,
  responses: { 200: { description: "The canceled batch", schema: Batch } },
  problems: ["resource_not_found", "generation_not_cancelable"],
});
