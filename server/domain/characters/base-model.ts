import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { memoizePer } from "../../lib/memoize-per";
import { checkInput } from "../models/check-input";
import { getModel } from "../models/get";
import { isWorkerModel, type WorkerModel } from "../models/worker-model";
import { type CharacterFields, trainingInput } from "./character";

/** Returns the base model. Throws a 404 `model_not_found`, or a 400 when workers do not serve the model. */
export function getBaseModel(ctx: Ctx, id: string): WorkerModel {
  const model = getModel(ctx, id);
  if (!isWorkerModel(model))
    throw invalidInput("base_model", "must be a model that workers serve, such as sandbox-trainer");
  return model;
}

/**
 * Validates the fields of a draft. Throws the errors of `getBaseModel`, then a 400 with the issues by place. Required
 * parameters may still be missing, because `start` can add them; files are checked by `start`.
 */
export const checkFields = (ctx: Ctx, fields: CharacterFields): void =>
  checkInput(withoutRequired(getBaseModel(ctx, fields.base_model)), trainingInput(fields), "character");

const withoutRequired = memoizePer((model: Model): Model => ({
  ...model,
  parametersSchema: { ...model.parametersSchema, required: [] },
}));
