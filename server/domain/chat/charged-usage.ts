import { sumTokens } from "../../catalogue/token-classes";
import type { HubParts } from "../../context";
import type { Nano } from "../../lib/money";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { routeTokenCost } from "../pricing";
import { findMultiplier, readUsage, type TokenPrice, type TokenUsage } from "../tokens";
import type { ChatHub } from "./hub";
import type { Medium } from "./reply-texts";
import type { ChatRequest } from "./request";

/** What the hub itself knows of a chat, used for what its provider does not report. */
interface CountedText {
  /** Whether the model has made any text or medium. */
  hasOutput: boolean;
  /** What the model has made besides text; null if there is none. */
  medium: Medium | null;
  /** Returns about how many tokens the prompt has. */
  countPrompt: () => Promise<number>;
  /** Returns about how many tokens the text has that the model has made. */
  countOutput: () => number | Promise<number>;
  /** Returns how many tokens that text has at least. */
  countMinOutput: () => number | Promise<number>;
}

/** What a provider has reported of a chat. */
interface Reported {
  usage: unknown;
  /** The tier of service that its answer names. */
  serviceTier: unknown;
  /** Whether the usage counts all of the text. */
  isCurrent: boolean;
}

/** The tokens that a chat is charged for. */
export interface ChargedUsage extends TokenUsage {
  /** Whether the provider's counts contradicted each other. */
  isImplausible: boolean;
}

/**
 * Returns the tokens that a chat is charged for, streamed or not, and at which tier of service: as its provider reports them.
 * The hub counts what the provider omits, or reports as zero although there is text, as tokens without a special class. The
 * tier is that of the answer, otherwise the requested one.
 */
export async function findChargedUsage(
  { usage, serviceTier: answered, isCurrent }: Reported,
  text: CountedText,
  price: TokenPrice,
  requestedTier: string | null,
): Promise<ChargedUsage> {
  const reported = readUsage(usage, { writesLong: price.writes_long });
  const { hasOutput } = text;
  const isComplete = reported.output !== null && isCurrent && (reported.output > 0 || !hasOutput);
  const { tokens } = reported;
  if (reported.input === null) tokens.input = await text.countPrompt();
  if (!isComplete) {
    const name = text.medium === "audio" ? "audio_output" : "output";
    tokens[name] = (tokens[name] ?? 0) + Math.max(0, (await countOutput(text, price)) - sumTokens(tokens, "output"));
  }
  const tier = typeof answered === "string" ? answered : (reported.serviceTier ?? requestedTier);
  const serviceTier = tier !== null && findMultiplier(price, tier) !== undefined ? tier : null;
  return { tokens, serviceTier, isImplausible: reported.isImplausible };
}

/**
 * Returns the tokens of an answer that its provider has not counted: at most the limit that it was given, unless there are
 * surely more. One with sound or pictures counts as the limit, because the hub cannot count these.
 */
async function countOutput(text: CountedText, { most_output_tokens: limit }: TokenPrice): Promise<number> {
  const counted = text.medium ? Infinity : Math.max(await text.countOutput(), text.hasOutput ? 1 : 0);
  return counted <= limit ? counted : Math.min(counted, Math.max(limit, await text.countMinOutput()));
}

/** Returns what the provider of an attempt charges for a chat, in nano-euros; null where the catalogue does not say. */
export function findProviderCost(
  hub: ChatHub,
  { model, routes }: Pick<ChatRequest, "model" | "routes">,
  { route: id }: Pick<AttemptRecord, "route">,
  usage: TokenUsage,
): Nano | null {
  const route = routes.find((one) => one.id === id);
  return route ? routeTokenCost(hub, model.id, route, usage) : null;
}

/** Logs counts of a provider that contradict each other, with the model and route by which an operator finds the cause. */
export function logImplausibleUsage(
  { log }: Pick<HubParts, "log">,
  { id, model }: Pick<Generation, "id" | "model">,
  usage: unknown,
): void {
  log.warn(
    { generation: id, model, usage: JSON.stringify(usage).slice(0, MAX_LOGGED) },
    "provider's usage is not plausible",
  );
}

const MAX_LOGGED = 1_000;
