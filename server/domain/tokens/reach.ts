import type { TokenPrices, TokenPricing } from "../../catalogue/pricing";

type Json = Record<string, unknown>;

/** Which classes of tokens and tiers of service a chat can be charged at, beside those that every chat can. */
export interface Reach {
  /** The longest time to live of the cache writes that it asks for; null if it asks for none. */
  writes: "short" | "long" | null;
  makesAudio: boolean;
  /** The tier of service that it asks for; null for the default one. */
  serviceTier: string | null;
}

/** Tiers that cost the default price, or less, where the catalogue prices no other. */
const CHEAP_TIERS = new Set(["auto", "default", "standard", "standard_only", "flex", "batch"]);

/** Returns what a chat can reach. */
export function findReach({ writesImplicitly }: Pick<TokenPricing, "writesImplicitly">, input: Json): Reach {
  const marks = [...listMarks(input)];
  const isLong = marks.some(({ isLong }) => isLong);
  const isShort = marks.length > 0 || writesImplicitly;
  return {
    writes: isLong ? "long" : isShort ? "short" : null,
    makesAudio: makesAudio(input),
    serviceTier: readServiceTier(input),
  };
}

/** Returns the tier of service that a chat asks for; null for the default one. */
export const readServiceTier = ({ service_tier: tier }: Json): string | null =>
  typeof tier === "string" && tier !== "default" ? tier : null;

/**
 * Returns the places of a chat that can make a provider charge more than for plain tokens, while the model has no price for
 * it, each with a remedy.
 */
export function findUnpriced(
  { perMillion, serviceTiers }: TokenPricing,
  input: Json,
): [place: string, remedy: string][] {
  const issues = [...listMarks(input)].flatMap((mark) => findUnpricedMark(perMillion, mark));
  if (perMillion.audio_input === undefined)
    for (const place of listAudioParts(input)) issues.push([place, "this model has no price for audio"]);
  if (perMillion.audio_output === undefined && makesAudio(input))
    issues.push(["modalities", "this model has no price for making audio"]);
  const { service_tier: tier } = input;
  if (typeof tier === "string" && !Object.hasOwn(serviceTiers, tier) && !CHEAP_TIERS.has(tier))
    issues.push(["service_tier", "this model has no price for this tier: omit it"]);
  return issues;
}

function findUnpricedMark(prices: TokenPrices, { place, isLong }: Mark): [string, string][] {
  if (isLong && prices.cache_write_long === undefined)
    return [[`${place}.ttl`, "this model has no price for a long cache: omit it"]];
  if (!isLong && prices.cache_write === undefined)
    return [[place, "this model has no price for writing to a cache: omit it"]];
  return [];
}

const makesAudio = ({ modalities }: Json): boolean => Array.isArray(modalities) && modalities.includes("audio");

interface Mark {
  place: string;
  /** Whether it asks for a longer time to live than the default one. */
  isLong: boolean;
}

/** Yields the places where a chat asks for its prompt up to there to be written to a cache. */
function* listMarks({ messages, tools, ...rest }: Json): Generator<Mark> {
  yield* markOf(rest, "");
  for (const [name, list] of [
    ["messages", messages],
    ["tools", tools],
  ] as const)
    for (const [index, item] of toEntries(list)) {
      yield* markOf(item, `${name}.${index}.`);
      for (const [part, content] of toEntries(item.content))
        yield* markOf(content, `${name}.${index}.content.${part}.`);
    }
}

function* markOf({ cache_control: mark }: Json, path: string): Generator<Mark> {
  if (!isObject(mark)) return;
  // Five minutes is the default of those who read marks; every longer time costs more.
  yield { place: `${path}cache_control`, isLong: mark.ttl !== undefined && mark.ttl !== null && mark.ttl !== "5m" };
}

function* listAudioParts({ messages }: Json): Generator<string> {
  for (const [index, { content }] of toEntries(messages))
    for (const [part, { type }] of toEntries(content))
      if (type === "input_audio") yield `messages.${index}.content.${part}`;
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

function toEntries(value: unknown): [number, Json][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index): [number, Json][] => (isObject(item) ? [[index, item]] : []));
}
