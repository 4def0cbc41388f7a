import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { memoizePer } from "../../lib/memoize-per";
import { checkInput } from "../models/check-input";
import { getModel } from "../models/get";
import { type CharacterFields, trainingInput } from "./character";

export type WorkerModel = Model & { pricing: Extract<Model["pricing"], { by: "gpu-second" }> };

/** The model that trains; 404 `model_not_found`, or 400 when it is not one that workers serve. */
export function getBaseModel(ctx: Ctx, id: string): WorkerModel {
  const model = getModel(ctx, id);
  if (!isWorkerModel(model)) throw invalidInput("base_model", "must be a model that workers serve, as sandbox-trainer");
  return model;
}

export const isWorkerModel = (model: Model): model is WorkerModel => model.pricing.by === "gpu-second";

/**
 * Checks that the fields can become a training: errors of `getBaseModel`, then 400 with the faults by place. A
 * parameter that the model requires may still be missing, because the start can give it; files are looked at by the start.
 */
export const checkFields = (ctx: Ctx, fields: CharacterFields): void =>
  checkInput(unfinished(getBaseModel(ctx, fields.base_model)), trainingInput(fields), "character");

const unfinished = memoizePer((model: Model): Model => ({
  ...model,
  parametersSchema: { ...model.parametersSchema, required: [] },
}));
