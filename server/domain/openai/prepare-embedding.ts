import { z } from "zod";
import { isEmbeddingModel, type OfferedModel, type Route } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import type { Nano } from "../../lib/money";
import { estimateTokensOf } from "../../lib/estimate-tokens";
import { newId } from "../../lib/id";
import { getModel } from "../models";
import { typicalTokenCost } from "../pricing";
import { checkTokenLimit, findTokenLimit } from "../rates";
import { estimateTokenCost, type TokenPrice } from "../tokens";
import { findRoutes, type OrderReason, sortRoutes } from "../routing";
import type { OpenAiHub } from "./hub";

const MAX_INPUTS = 2_048;
const MAX_TOKENS = 100_000;
/** How many tokens a server may add to each input as separators. */
const OVERHEAD_TOKENS = 8;

const MAX_TOKEN = 10_000_000;

const isText = (value: unknown): value is string => typeof value === "string" && value.length > 0;
const isToken = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKEN;
const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_TOKENS && value.every(isToken);

/** One text or several, as strings or as tokens. */
type Input = string | string[] | number[] | number[][];

// Not a schema of alternatives, which would report an issue for each token of the wrong type.
function isInput(value: unknown): value is Input {
  if (!Array.isArray(value)) return isText(value);
  if (typeof value[0] === "number") return isTokens(value);
  const isItem = typeof value[0] === "string" ? isText : isTokens;
  return value.length > 0 && value.length <= MAX_INPUTS && value.every(isItem);
}

const EmbeddingInput = z.object({
  input: z.custom<Input>(isInput),
  dimensions: z.int().min(1).max(65_536).optional(),
  encoding_format: z.enum(["float", "base64"]).default("float"),
});

/** A validated request for vectors. */
export interface PreparedEmbedding {
  model: OfferedModel;
  routes: Route[];
  /** Why the first route comes first. */
  reason: OrderReason;
  input: Record<string, unknown>;
  format: "float" | "base64";
  price: TokenPrice;
  cost: Nano;
}

/** Validates a request for vectors and prices it, before anything is held. Throws, in this order, 404, 400 and 503. */
export function prepareEmbedding(
  ctx: Ctx<OpenAiHub>,
  { model: id, body }: { model: string; body: Record<string, unknown> },
): PreparedEmbedding {
  const model = getModel(ctx, id);
  if (!isEmbeddingModel(model) || model.pricing.by !== "token")
    throw invalidInput(
      "model",
      "does not compute embeddings: choose a model whose output_modalities contain embedding",
    );
  const parsed = EmbeddingInput.safeParse(body);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]!.path[0] ?? "input");
    throw invalidInput(name, issues[name] ?? "is not valid");
  }
  const { encoding_format: format, input, dimensions } = parsed.data;
  const routes = findRoutes(ctx.hub, model);
  if (routes.length === 0) throw new AppError("provider_error", "No provider serves this model right now.");
  const maxInput = countMaxTokens(input, model.pricing.contextLength ?? Infinity);
  const { price, cost: held } = estimateTokenCost(model.pricing, { input: maxInput, audio: 0, image: 0, output: 0 });
  const cost = (route: Route) => typicalTokenCost(ctx.hub, model.id, route);
  const order = sortRoutes(ctx.hub, { model: { ...model, routes }, id: newId(), cost });
  return {
    model,
    ...order,
    input: { input, ...(dimensions !== undefined && { dimensions }) },
    format,
    price,
    cost: held,
  };
}

/**
 * Returns about how many tokens a request has, if its key or account has a limit of tokens a minute, otherwise 0. Throws a 400
 * for more than the limit.
 */
export async function countForLimit(ctx: Ctx<OpenAiHub>, { input }: Pick<PreparedEmbedding, "input">): Promise<number> {
  const limit = findTokenLimit(ctx);
  if (limit === null) return 0;
  const items = [input.input as Input].flat(2);
  const texts = items.filter((item) => typeof item === "string");
  const tokens = items.length - texts.length + (await estimateTokensOf(texts));
  checkTokenLimit(limit, "input", tokens);
  return tokens;
}

const issues: Record<string, string> = {
  input: `must be a text, up to ${MAX_INPUTS} texts, or the same in tokens; no text may be empty`,
  dimensions: "must be a whole number from 1 to 65536",
  encoding_format: 'must be "float" or "base64"',
};

/** Returns an upper bound of the tokens of all inputs. No tokenizer makes more tokens of a text than it has bytes. */
function countMaxTokens(input: Input, contextLength: number): number {
  const inputs = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  let tokens = 0;
  for (const one of inputs) {
    const length = typeof one === "string" ? Buffer.byteLength(one) : Array.isArray(one) ? one.length : 1;
    tokens += Math.min(length + OVERHEAD_TOKENS, contextLength);
  }
  return tokens;
}
