import { z } from "@hono/zod-openapi";
import type { OfferedModel } from "../../catalogue/model";
import { getModel, listModels } from "../../domain/models";
import { defineOperation } from "../operation";
import { AnthropicModel, AnthropicModelList, AnthropicModelsQuery } from "../schemas/messages";
import { AppError, invalidInput } from "../../errors";

const shared = {
  method: "get",
  tag: "Models",
  auth: "key",
  cost: "read",
  envelope: "messages",
} as const;

export const listAnthropicModels = defineOperation({
  ...shared,
  name: "listAnthropicModels",
  path: "/v1/models",
  summary: "List models",
  description:
    "Returns the text models that the key may use, in Anthropic's format, to a request with the header `anthropic-version`.",
  query: AnthropicModelsQuery,
  responses: { 200: { description: "The models", schema: AnthropicModelList } },
  problems: [],
  handler({ ctx, query }) {
    const { models, hasMore } = pickPage(listModels(ctx).filter(isTextModel), query);
    const data = models.map(toAnthropicModel);
    return {
      json: { data, has_more: hasMore, first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null },
    };
  },
});

export const getAnthropicModel = defineOperation({
  ...shared,
  name: "getAnthropicModel",
  path: "/v1/models/{id}",
  summary: "Retrieve a model",
  description: "Returns a model in Anthropic's format, to a request with the header `anthropic-version`.",
  params: z.object({ id: z.string() }),
  responses: { 200: { description: "The model", schema: AnthropicModel } },
  problems: ["model_not_found"],
  handler({ ctx, params }) {
    const model = getModel(ctx, params.id!);
    if (!isTextModel(model)) throw new AppError("model_not_found");
    return { json: toAnthropicModel(model) };
  },
});

type Page = z.output<typeof AnthropicModelsQuery>;

/** Returns one page of the models, and whether more follow in its direction. Throws 400 for an id that is not listed. */
function pickPage(all: OfferedModel[], { limit, before_id, after_id }: Page) {
  const indexOf = (place: string, id: string) => {
    const index = all.findIndex((model) => model.id === id);
    if (index === -1) throw invalidInput(place, "is not a model of this list");
    return index;
  };
  if (after_id === undefined && before_id !== undefined) {
    const end = indexOf("before_id", before_id);
    const start = Math.max(0, end - limit);
    return { models: all.slice(start, end), hasMore: start > 0 };
  }
  const start = after_id === undefined ? 0 : indexOf("after_id", after_id) + 1;
  return { models: all.slice(start, start + limit), hasMore: start + limit < all.length };
}

const isTextModel = ({ isLlm, outputModalities }: OfferedModel): boolean => isLlm && outputModalities.includes("text");

function toAnthropicModel({ id, name, firstOfferedAt, pricing }: OfferedModel) {
  const { contextLength, maxOutputTokens } =
    pricing.by === "token" ? pricing : { contextLength: null, maxOutputTokens: null };
  return {
    type: "model" as const,
    id,
    display_name: name,
    created_at: firstOfferedAt.toISOString(),
    max_input_tokens: contextLength,
    max_tokens: maxOutputTokens,
    capabilities: null,
    lifecycle: "active" as const,
    line: null,
    deprecated_at: null,
    retires_at: null,
  };
}
