import { z } from "zod";
import type { OfferedModel } from "../../../catalogue/model";
import { runBodyWork } from "../../../context";
import { findFunds } from "../../../domain/ledger";
import { exampleInput } from "../../../domain/model-inputs";
import {
  findCheaperInputs,
  getModel,
  listModels,
  priceInput,
  serializeModel,
  serializePrices,
} from "../../../domain/models";
import { toEuros } from "../../../lib/money";
import { describeCheaper } from "../describe-cheaper";
import * as schemas from "../schemas";
import { defineTool, readOnly } from "../tool";

const MAX_DESCRIPTION_LENGTH = 120;

export const listModelsTool = defineTool({
  name: "list_models",
  title: "List models",
  description:
    "Lists the models that generate can run, with what they make and cost. describe_model returns their parameters.",
  annotations: readOnly,
  input: z.object({
    modality: z.enum(["image", "video", "audio", "text", "3d"]).optional().describe("Only models that make this"),
    query: z.string().max(200).optional().describe("Words in the id, name or description"),
    limit: z.number().int().min(1).max(100).default(12),
  }),
  output: z.object({
    models: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        makes: z.array(z.string()),
        required: z.array(z.string()).describe("Parameters that must be given"),
        price_from: z.number().describe("The lowest price of one unit, in EUR; estimate returns the exact one"),
        unit: z.string(),
      }),
    ),
    total: z.number().describe("How many models match"),
    next: z.string().optional(),
  }),
  handler({ ctx }, { modality, query = "", limit }) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = listModels(ctx).filter(
      (model) =>
        !model.isLlm && (modality === undefined || model.outputModalities.includes(modality)) && hasWords(model, words),
    );
    const models = matches.slice(0, limit).map((model) => ({
      id: model.id,
      name: model.name,
      description: model.description && shorten(model.description),
      makes: model.outputModalities,
      required: model.parametersSchema.required ?? [],
      ...describePrice(ctx, model),
    }));
    const hasMore = matches.length > models.length;
    const next = hasMore ? "Narrow the list by modality or query, or raise limit." : undefined;
    return { output: { models, total: matches.length, ...(next && { next }) } };
  },
});

function hasWords({ id, name, description }: OfferedModel, words: string[]): boolean {
  const text = `${id} ${name} ${description ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const shorten = (text: string) =>
  text.length > MAX_DESCRIPTION_LENGTH ? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…` : text;

function describePrice(ctx: Parameters<typeof listModels>[0], model: OfferedModel) {
  const prices = serializePrices(ctx.hub, model);
  switch (prices.by) {
    case "tier":
      return {
        price_from: Math.min(...prices.tiers.map(({ euros, next }) => next ?? euros)),
        unit: prices.unit ?? "generation",
      };
    case "gpu-second":
      return { price_from: prices.euros, unit: "second of GPU time" };
    case "token":
      return { price_from: prices.output, unit: "million output tokens" };
  }
}

export const describeModelTool = defineTool({
  name: "describe_model",
  title: "Describe a model",
  description: "Returns the parameters of a model as JSON Schema, its prices, and an example of a call of generate.",
  annotations: readOnly,
  input: z.object({ id: schemas.modelId }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    prices: z.record(z.string(), z.unknown()).describe("In EUR; of tiers, the first that matches the input applies"),
    input_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of input"),
    example: z.object({ model: z.string(), input: z.record(z.string(), z.unknown()) }),
  }),
  handler({ ctx }, { id }) {
    const model = getModel(ctx, id);
    const { name, description, input_modalities, output_modalities, parameters_schema } = serializeModel(model);
    return {
      output: {
        id,
        name,
        description,
        input_modalities,
        output_modalities,
        prices: serializePrices(ctx.hub, model),
        input_schema: parameters_schema,
        example: { model: id, input: exampleInput(model) },
      },
    };
  },
});

export const estimateTool = defineTool({
  name: "estimate",
  title: "Estimate a price",
  description:
    "Checks an input and returns the most that generate would charge for it. Starts nothing and costs nothing.",
  annotations: readOnly,
  input: z.object({ model: schemas.modelId, input: schemas.input }),
  output: z.object({
    estimated_cost: schemas.euros.describe("Maximum cost in EUR"),
    currency: z.literal("EUR"),
    remaining: schemas.euros.describe("What this key may still spend now, in EUR"),
    is_affordable: z.boolean(),
    next: z.string().optional(),
  }),
  async handler({ ctx }, request) {
    const price = await runBodyWork(ctx, () => priceInput(ctx, request.model, request.input));
    const { available } = await findFunds(ctx);
    const isAffordable = price.estimated_cost <= toEuros(available);
    const next = isAffordable ? null : describeCheaper(findCheaperInputs(ctx, request, available));
    return {
      output: { ...price, remaining: toEuros(available), is_affordable: isAffordable, ...(next && { next }) },
    };
  },
});
