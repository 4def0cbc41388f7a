import { z } from "@hono/zod-openapi";
import { listModels } from "../domain/models/list";
import { priceInput } from "../domain/models/price";
import { representModel } from "../domain/models/represent";
import { operation } from "./operation";
import { Estimate, ModelList, PricingRequest } from "./schemas/model";
import { modelId } from "./schemas/values";

export const listModelsOperation = operation({
  name: "listModels",
  method: "get",
  path: "/api/v1/hub/models",
  tag: "Models",
  summary: "The models you can use, with their prices",
  description: "In the operator's order. Models that are reserved to members are listed to members only.",
  auth: "key",
  cost: "read",
  responses: { 200: { description: "The models", schema: ModelList } },
  problems: [],
  handler: ({ ctx }) => ({ json: { data: listModels(ctx).map(representModel) } }),
});

export const priceInputOperation = operation({
  name: "priceInput",
  method: "post",
  path: "/api/v1/hub/models/{id}/pricing",
  tag: "Models",
  summary: "What an input would cost",
  description: "Checks the input and estimates its price as a generation would, and makes none.",
  auth: "key",
  cost: "read",
  params: z.object({ id: modelId }),
  body: PricingRequest,
  responses: { 200: { description: "The estimate", schema: Estimate } },
  problems: ["model_not_found", "no_route_available"],
  handler: ({ ctx, params, body }) => ({ json: priceInput(ctx, params.id!, body.input) }),
});
