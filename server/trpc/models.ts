import { z } from "zod";
import type { Model } from "../catalogue/model";
import type { Ctx } from "../context";
import type { Hub } from "../domain/hub";
import { getModel, listModels, quoteInput, serializeModel, serializePrices } from "../domain/models";
import { findRoutes } from "../domain/routing";
import { byId, procedure, router } from "./procedure";

export const models = router({
  /** Returns the models without their parameters, which are large. */
  list: procedure("self").query(({ ctx }) => listModels(ctx).map((model) => toModelSummary(ctx, model))),

  get: procedure("self")
    .input(byId)
    .query(({ ctx, input }) => {
      const model = getModel(ctx, input.id);
      return { ...serializeModel(model), ...toModelSummary(ctx, model) };
    }),

  // A mutation, because an input may be too long for a URL.
  price: procedure("self")
    .meta({ cost: "read" })
    .input(z.object({ id: z.string().max(200), input: z.record(z.string(), z.unknown()) }))
    .mutation(({ ctx, input }) => quoteInput(ctx, input.id, input.input)),
});

const toModelSummary = (ctx: Ctx<Hub>, model: Model) => ({
  id: model.id,
  name: model.name,
  description: model.description,
  input_modalities: model.inputModalities,
  output_modalities: model.outputModalities,
  is_llm: model.isLlm,
  prices: serializePrices(ctx.hub, model),
  /** Whether at least one route can serve the model now. */
  available: findRoutes(ctx.hub, model).length > 0,
  /** Whether a prompt is all that it needs. */
  runs_from_prompt: runsFromPrompt(model),
});

function runsFromPrompt({ isLlm, parametersSchema }: Model): boolean {
  const { properties = {}, required = [] } = parametersSchema as { properties?: object; required?: string[] };
  return isLlm || ("prompt" in properties && required.every((name) => name === "prompt"));
}
