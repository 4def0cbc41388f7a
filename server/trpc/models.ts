import { z } from "zod";
import type { Model } from "../catalogue/model";
import type { Ctx } from "../context";
import { getModel } from "../domain/models/get";
import { listModels } from "../domain/models/list";
import { priceInput } from "../domain/models/price";
import { serializePrices, serializeModel } from "../domain/models/serialize-model";
import { findRoutes } from "../domain/routing/find-routes";
import { byId, json, procedure, router } from "./procedure";

export const models = router({
  /** Without their parameters, which are what is large of them. */
  list: procedure.query(({ ctx }) => listModels(ctx).map((model) => summarize(ctx, model))),

  get: procedure.input(byId).query(({ ctx, input }) => {
    const model = getModel(ctx, input.id);
    return { ...serializeModel(model), ...summarize(ctx, model) };
  }),

  // A mutation only because an input may be longer than an address.
  price: procedure
    .meta({ cost: "read" })
    .input(z.object({ id: z.string().max(200), input: z.record(z.string(), json) }))
    .mutation(({ ctx, input }) => priceInput(ctx, input.id, input.input)),
});

const summarize = (ctx: Ctx, model: Model) => ({
  id: model.id,
  name: model.name,
  description: model.description,
  input_modalities: model.inputModalities,
  output_modalities: model.outputModalities,
  is_llm: model.isLlm,
  prices: serializePrices(ctx, model),
  /** Whether any of its routes can serve it now. */
  available: findRoutes(ctx, model).length > 0,
});
