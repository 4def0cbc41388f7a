import { z } from "@hono/zod-openapi";
import { cancelStoredGeneration } from "../domain/generations/cancel";
import { getStoredGeneration } from "../domain/generations/get";
import { listStoredGenerations } from "../domain/generations/list";
import { listAttempts, serializeAttempt } from "../domain/generations/list-attempts";
import { serializeGeneration } from "../domain/generations/serialize-generation";
import { startGeneration } from "../domain/generations/start";
import { toEuros } from "../lib/money";
import { defineOperation } from "./operation";
import { AttemptList, Generation, GenerationPage, GenerationQuery, GenerationRequest } from "./schemas/generation";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/generations";
const params = z.object({ id: uuid.openapi({ description: "Id of a generation" }) });
const shared = { tag: "Generations", auth: "key" } as const;
const links = { getGeneration: "/id", cancelGeneration: "/id", listAttempts: "/id" } as const;

export const createGeneration = defineOperation({
  ...shared,
  name: "createGeneration",
  method: "post",
  path: PATH,
  summary: "Start a generation",
  description:
    "Holds the estimate and queues the work. With an `Idempotency-Key`, sending the same request again is safe: " +
    "a finished one is answered with its record (200), one under way with 503 `generation_in_progress`. " +
    "A file parameter (`format: uri`) takes an http(s) URL, one of your file URLs, or `sha256:` and the hash of content. " +
    "Content that you have not uploaded yet is named in `missing`, and the generation waits for it as `awaiting_supply`: " +
    "it is queued once everything is there, and fails with `supply_timeout` after a day.",
  cost: "write",
  body: GenerationRequest,
  idempotent: true,
  responses: {
    202: { description: "Accepted", schema: Generation, headers: { Location: "Where to follow it" }, links },
    200: {
      description: "The finished generation of the same idempotency key",
      schema: Generation,
      headers: { Location: "Where it is", "Idempotent-Replayed": "`true`" },
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
  async handler({ ctx, body, idempotency }) {
    const { generation, replayed } = await startGeneration(ctx, body, idempotency);
    const headers: Record<string, string> = { Location: `${PATH}/${generation.id}` };
    if (replayed) headers["Idempotent-Replayed"] = "true";
    return { status: replayed ? 200 : 202, headers, json: serializeGeneration(ctx.hub, generation) };
  },
});

export const listGenerations = defineOperation({
  ...shared,
  name: "listGenerations",
  method: "get",
  path: PATH,
  summary: "Your generations, newest first",
  description: "A page and the total of the whole filtered listing. A cursor belongs to the filters it was made with.",
  cost: "read",
  query: GenerationQuery,
  responses: { 200: { description: "A page", schema: GenerationPage } },
  problems: [],
  async handler({ ctx, query }) {
    const { data, next_cursor, total_billed } = await listStoredGenerations(ctx, query);
    const page = data.map((generation) => serializeGeneration(ctx.hub, generation));
    return { json: { data: page, next_cursor, total_billed: toEuros(total_billed) } };
  },
});

export const getGeneration = defineOperation({
  ...shared,
  name: "getGeneration",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "One generation",
  description: "Its state, its cost and its outputs.",
  cost: "read",
  params,
  responses: { 200: { description: "The generation", schema: Generation } },
  problems: ["generation_not_found"],
  handler: async ({ ctx, params }) => ({
    json: serializeGeneration(ctx.hub, await getStoredGeneration(ctx, params.id!)),
  }),
});

export const cancelGeneration = defineOperation({
  ...shared,
  name: "cancelGeneration",
  method: "post",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel a generation",
  description:
    "Takes back one that has not started, at no cost. One that is canceled already is answered again; " +
    "any other is 409 `generation_not_cancelable`.",
  cost: "write",
  params,
  responses: { 200: { description: "The canceled generation", schema: Generation } },
  problems: ["generation_not_found", "generation_not_cancelable"],
  handler: async ({ ctx, params }) => ({
    json: serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, params.id!)),
  }),
});

export const listAttemptsOperation = defineOperation({
  ...shared,
  name: "listAttempts",
  method: "get",
  path: `${PATH}/{id}/attempts`,
  summary: "How a generation was tried",
  description: "Every try of a route, first to last.",
  cost: "read",
  params,
  responses: { 200: { description: "The attempts", schema: AttemptList } },
  problems: ["generation_not_found"],
  handler: async ({ ctx, params }) => ({ json: { data: (await listAttempts(ctx, params.id!)).map(serializeAttempt) } }),
});
