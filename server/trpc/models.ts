import { z } from "zod";
import type { Model, OfferedModel } from "../catalogue/model";
import type { Ctx } from "../context";
import type { Hub } from "../domain/hub";
import { findTypicalCost, readTypicalSeconds } from "../domain/model-times";
import { getModel, listModels, quoteInput, serializeModel, serializePrices } from "../domain/models";
import { findRoutes } from "../domain/routing";
import { listSamples } from "../domain/samples";
import { mapPaced } from "../lib/pace";
import { byId, procedure, router } from "./procedure";

export const models = router({
  /** Returns the models without their parameters, which are large. */
  list: procedure("self").query(async ({ ctx }) => {
    const facts = await readFacts(ctx.hub);
    // Finding the typical cost of a model compiles its schema once, which takes milliseconds.
    return mapPaced(listModels(ctx), (model) => toModelSummary(ctx, model, facts));
  }),

  get: procedure("self")
    .input(byId)
    .query(async ({ ctx, input }) => {
      const model = getModel(ctx, input.id);
      return { ...serializeModel(model), ...toModelSummary(ctx, model, await readFacts(ctx.hub)) };
    }),

  // A mutation, because an input may be too long for a URL.
  price: procedure("self")
    .meta({ cost: "read" })
    .input(z.object({ id: z.string().max(200), input: z.record(z.string(), z.unknown()) }))
    .mutation(({ ctx, input }) => quoteInput(ctx, input.id, input.input)),
});

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Reads what the database knows of all models. */
async function readFacts(hub: Hub) {
  const [seconds, samples] = await Promise.all([readTypicalSeconds(hub), listSamples(hub)]);
  return { seconds, samples };
}

const toModelSummary = (ctx: Ctx<Hub>, model: OfferedModel, { seconds, samples }: Facts) => ({
  id: model.id,
  name: model.name,
  description: model.description,
  input_modalities: model.inputModalities,
  output_modalities: model.outputModalities,
  is_llm: model.isLlm,
  prices: serializePrices(ctx.hub, model),
  /** What a usual run costs the account in EUR; null if that is unknown. */
  typical_cost: findTypicalCost(ctx, model),
  /** The median seconds of the newest runs; null without any. */
  typical_seconds: seconds.get(model.id) ?? null,
  /** The ids of its sample pictures. */
  samples: (samples.get(model.id) ?? []).map(({ id }) => id),
  /** Whether at least one route can serve the model now. */
  available: findRoutes(ctx.hub, model).length > 0,
  /** Whether a prompt is all that it needs. */
  runs_from_prompt: runsFromPrompt(model),
});

function runsFromPrompt({ isLlm, parametersSchema }: Model): boolean {
  const { properties = {}, required = [] } = parametersSchema as { properties?: object; required?: string[] };
  return isLlm || ("prompt" in properties && required.every((name) => name === "prompt"));
}
