import type { Ctx } from "../../context";
import { toEuros } from "../../lib/money";
import { listModels } from "../models/list";
import { estimateCost } from "../pricing/estimate";
import { isWorkerModel } from "./base-model";

/** The models that can train a character for this account: those that workers serve and that take `images`. */
export const listBaseModels = (ctx: Ctx) =>
  listModels(ctx)
    .filter(isWorkerModel)
    .filter(({ parametersSchema }) => parametersSchema.properties.images !== undefined)
    .map((model) => ({
      id: model.id,
      name: model.name,
      description: model.description,
      parameters_schema: model.parametersSchema,
      /** EUR: what a start holds, and what it costs at most. */
      estimated_cost: toEuros(estimateCost(ctx, model, {}).cost),
    }));
