import { z } from "@hono/zod-openapi";
import type { OfferedModel } from "../catalogue/model";
import { readTypicalSeconds } from "../domain/model-times";
import { getModel, listModels, quoteInput, serializeModel } from "../domain/models";
import { defineOperation } from "./operation";
import { Estimate, Model, ModelList, PricingRequest } from "./schemas/model";
import { modelId } from "./schemas/values";

const params = z.object({ id: modelId });

const serializeTimedModel = (model: OfferedModel, times: ReadonlyMap<string, number>) => ({
  ...serializeModel(model),
  typical_seconds: times.get(model.id) ?? null,
});

export const listModelsOperation = defineOperation({
  name: "listModels",
  method: "get",
  path: "/api/v1/hub/models",
  tag: "Models",
  summary: "List models",
  description:
    "Returns the models that you can use, with their prices, in the operator's order. Only members see models for members.",
  auth: "key",
  cost: "read",
  responses: { 200: { description: "The models", schema: ModelList, links: { getModel: "/data/0/id" } } },
  problems: [],
  async handler({ ctx }) {
    const models = listModels(ctx);
    const times = await readTypicalSeconds(ctx.hub);
    return { json: { object: "list", data: models.map((model) => serializeTimedModel(model, times)) } };
  },
});

export const getModelOperation = defineOperation({
  name: "getModel",
  method: "get",
  path: "/api/v1/hub/models/{id}",
  tag: "Models",
  summary: "Retrieve a model",
  description: "Returns one of the models that you can list.",
  auth: "key",
  cost: "read",
  params,
  responses: { 200: { description: "The model", schema: Model, links: { priceInput: "/id" } } },
  problems: ["model_not_found"],
  async handler({ ctx, params }) {
    const model = getModel(ctx, params.id!);
    return { json: serializeTimedModel(model, await readTypicalSeconds(ctx.hub)) };
  },
});

export const priceInputOperation = defineOperation({
  name: "priceInput",
  method: "post",
  path: "/api/v1/hub/models/{id}/pricing",
  tag: "Models",
  summary: "Estimate a price",
  description:
    "Checks the input and returns the price that a generation would hold, without creating one. `quote` holds that price for " +
    "15 minutes, whatever happens to the catalogue meanwhile: send its id as `quote` with the same model and input. A quote " +
    "reserves nothing.",
  auth: "key",
  cost: "read",
  params,
  body: PricingRequest,
  responses: { 200: { description: "The estimate", schema: Estimate } },
  problems: ["model_not_found", "no_route_available"],
  handler: async ({ ctx, params, body }) => ({ json: await quoteInput(ctx, params.id!, body.input) }),
});
