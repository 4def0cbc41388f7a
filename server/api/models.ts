import { z } from "@hono/zod-openapi";
import { getModel } from "../domain/models/get";
import { listModels } from "../domain/models/list";
import { priceInput } from "../domain/models/price";
import { serializeModel } from "../domain/models/serialize-model";
import { defineOperation } from "./operation";
import { Estimate, Model, ModelList, PricingRequest } from "./schemas/model";
import { modelId } from "./schemas/values";

const params = z.object({ id: modelId });

export const listModelsOperation = defineOperation({
  name: "listModels",
  method: "get",
  path: "/api/v1/hub/models",
  tag: "Models",
  summary: "The models you can use, with their prices",
  description: "In the operator's order. Models that are reserved to members are listed to members only.",
  auth: "key",
  cost: "read",
  responses: { 200: { description: "The models", schema: ModelList, links: { getModel: "/data/0/id" } } },
  problems: [],
  handler: ({ ctx }) => ({ json: { object: "list", data: listModels(ctx).map(serializeModel) } }),
});

export const getModelOperation = defineOperation({
  name: "getModel",
  method: "get",
  path: "/api/v1/hub/models/{id}",
  tag: "Models",
  summary: "One model",
  description: "As the list has it, under the same rules.",
  auth: "key",
  cost: "read",
  params,
  responses: { 200: { description: "The model", schema: Model, links: { priceInput: "/id" } } },
  problems: ["model_not_found"],
  handler: ({ ctx, params }) => ({ json: serializeModel(getModel(ctx, params.id!)) }),
});

export const priceInputOperation = defineOperation({
  name: "priceInput",
  method: "post",
  path: "/api/v1/hub/models/{id}/pricing",
  tag: "Models",
  summary: "What an input would cost",
  description: "Checks the input and estimates its price as a generation would, and makes none.",
  auth: "key",
  cost: "read",
  params,
  body: PricingRequest,
  responses: { 200: { description: "The estimate", schema: Estimate } },
  problems: ["model_not_found", "no_route_available"],
  handler: ({ ctx, params, body }) => ({ json: priceInput(ctx, params.id!, body.input) }),
});
