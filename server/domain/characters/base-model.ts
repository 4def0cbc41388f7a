import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { memoizePer } from "../../lib/memoize-per";
import { toEuros } from "../../lib/money";
import { checkInput } from "../model-inputs";
import { getModel, isTrainer, isWorkerModel, listModels, type WorkerModel } from "../models";
import { estimateCost } from "../pricing";
import { type CharacterFields, trainingInput } from "./character";
import type { CharactersHub } from "./hub";

/** Returns the base model with this id. Throws a 404 `model_not_found`, or a 400 when workers do not serve the model. */
export function getBaseModel(ctx: Ctx<CharactersHub>, id: string): WorkerModel {
  const model = getModel(ctx, id);
  if (!isWorkerModel(model))
    throw invalidInput("base_model", "must be a model that workers serve, such as sandbox-trainer");
  return model;
}

/**
 * Validates the fields of a draft. Throws the errors of `getBaseModel`, then a 400 that names the invalid fields. Required
 * parameters may be missing, because a start can add them; files are checked by the start.
 */
export const checkFields = (ctx: Ctx<CharactersHub>, fields: CharacterFields): void =>
  checkInput(withoutRequired(getBaseModel(ctx, fields.base_model)), trainingInput(fields), "character");

const withoutRequired = memoizePer((model: Model): Model => ({
  ...model,
  parametersSchema: { ...model.parametersSchema, required: [] },
}));

/** Returns the models that can train a character for this account: worker models with a parameter `images`. */
export const listBaseModels = (ctx: Ctx<CharactersHub>) =>
  listModels(ctx)
    .filter(isTrainer)
    .map((model) => ({
      id: model.id,
      name: model.name,
      description: model.description,
      parameters_schema: model.parametersSchema,
      /** In EUR: the amount that a start holds, and its maximum cost. */
      estimated_cost: toEuros(estimateCost(ctx.hub, model, {}).cost),
    }));
