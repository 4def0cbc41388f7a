import { asObject } from "../../lib/is-object";
import { z } from "zod";
import { exampleInput } from "../../domain/model-inputs";
import { findPrice, listModels } from "../../domain/models";
import { addSample, chooseForHome, listSamples, readOwnPicture, removeSample } from "../../domain/samples";
import { mapPaced } from "../../lib/pace";
import { auditorProcedure, byId, operatorProcedure, router } from "../procedure";

export const samples = router({
  /** Returns the models that can have samples, and for those that make pictures, what one costs the operator's account. */
  list: auditorProcedure.query(async ({ ctx }) => {
    const samples = await listSamples(ctx.hub);
    // Finding a price compiles the schema of a model once, which takes milliseconds.
    return mapPaced(listModels(ctx), (model) => {
      const example = { ...exampleInput(model), ...firstExample(model.parametersSchema) };
      const makesPictures = !model.isLlm && model.outputModalities.includes("image");
      return {
        id: model.id,
        name: model.name,
        samples: samples.get(model.id) ?? [],
        example,
        /** EUR; null if the hub would reject the example, such as one that needs a file. */
        price: makesPictures ? findPrice(ctx, model.id, example) : null,
      };
    });
  }),

  /** Adds a copy of a picture of the operator's account. */
  add: operatorProcedure
    .input(z.object({ model: z.string().max(200), file: z.uuid() }))
    .mutation(async ({ ctx, input: { model, file } }) => {
      const picture = await readOwnPicture(ctx, file);
      return { id: await addSample(ctx.hub, ctx.operator, { model, picture }) };
    }),

  chooseForHome: operatorProcedure
    .input(z.object({ id: z.uuid(), isOnHome: z.boolean() }))
    .mutation(({ ctx: { hub, operator }, input }) => chooseForHome(hub, operator, input)),

  remove: operatorProcedure
    .input(byId)
    .mutation(({ ctx: { hub, operator }, input }) => removeSample(hub, operator, input.id)),
});

/** Returns the first of a schema's examples; an empty input if it has none. */
function firstExample({ examples }: Record<string, unknown>): object {
  return asObject(Array.isArray(examples) ? examples[0] : null);
}
