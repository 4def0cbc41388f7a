import { z } from "zod";
import type { OfferedModel } from "../../../catalogue/model";
import { listModels, serializePrices } from "../../../domain/models";
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
