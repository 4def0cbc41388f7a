import type { Hono } from "hono";
import { z } from "@hono/zod-openapi";
import type { OfferedModel } from "../../catalogue/model";
import type { Hub } from "../../domain/hub";
import { getModel, listModels, serializeModel } from "../../domain/models";
import { defineOperation } from "../operation";
import type { Host } from "../request-context";
import { OpenAiModel, OpenAiModelList } from "../schemas/openai";
import { createOperationHandler } from "../serve";

const shared = {
  method: "get",
  tag: "Models",
  auth: "key",
  cost: "read",
  envelope: "openai",
} as const;

export const listModelsOperation = defineOperation({
  ...shared,
  name: "listOpenAiModels",
  path: "/v1/models",
  summary: "List models",
  description: "Returns the models that the key may use.",
  responses: { 200: { description: "The models", schema: OpenAiModelList } },
  problems: [],
  handler: ({ ctx }) => ({ json: { object: "list", data: listModels(ctx).map(toOpenAiModel) } }),
});

export const getModelOperation = defineOperation({
  ...shared,
  name: "getOpenAiModel",
  path: "/v1/models/{id}",
  summary: "Retrieve a model",
  description: "Returns one of the models that the key may use.",
  params: z.object({ id: z.string() }),
  responses: { 200: { description: "The model", schema: OpenAiModel } },
  problems: ["model_not_found"],
  handler: ({ ctx, params }) => ({ json: toOpenAiModel(getModel(ctx, params.id!)) }),
});

/** Registers `GET /v1/models` and `GET /v1/models/{id}`; an id may contain slashes. */
export function registerModels(app: Hono<Host>, hub: Hub): void {
  app.get("/v1/models", createOperationHandler(hub, listModelsOperation));
  app.get("/v1/models/:id{.+}", createOperationHandler(hub, getModelOperation));
}

/** Returns OpenAI's members of a model, and those that its clients read at other gateways. */
function toOpenAiModel(model: OfferedModel) {
  const { id, object, created, owned_by, name, ...rest } = serializeModel(model);
  const { input_modalities, output_modalities, context_length, max_output_tokens } = rest;
  return {
    id,
    object,
    created,
    owned_by,
    name,
    input_modalities,
    output_modalities,
    context_length,
    max_output_tokens,
  };
}
