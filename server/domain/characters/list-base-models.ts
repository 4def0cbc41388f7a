import type { Ctx } from "../../context";
import { toEuros } from "../../lib/money";
import { listModels } from "../models/list";
import { estimateCost } from "../pricing/estimate";
import { isWorkerModel } from "../models/worker-model";

/** Returns the models that can train a character for this account: worker models with a parameter `images`. */
export const listBaseModels = (ctx: Ctx) =>
  listModels(ctx)
    .filter(isWorkerModel)
    .filter(({ parametersSchema }) => parametersSchema.properties.images !== undefined)
    .map((model) => ({
      id: model.id,
      name: model.name,
      description: model.description,
      parameters_schema: model.parametersSchema,
      /** EUR: the amount that a start holds, and its maximum cost. */
      estimated_cost: toEuros(estimateCost(ctx.hub, model, {}).cost),
    }));
