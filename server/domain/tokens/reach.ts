import type { TokenPrices, TokenPricing } from "../../catalogue/pricing";
import { hasSpokenAnswer } from "../attachments";

type Json = Record<string, unknown>;

/** The token classes and service tiers at which this chat can be charged, in addition to those of every chat. */
export interface Reach {
  /**
   * The longest time to live of its cache writes, also of those that the provider makes unasked; null if there are none.
   */
  writes: "short" | "long" | null;
  makesAudio: boolean;
  /** The service tier that it asks for; null for the default one. */
  serviceTier: string | null;
}

/** Tiers that cost at most the default price where the catalogue has no price for them. */
const CHEAP_TIERS = new Set(["auto", "default", "standard", "standard_only", "flex", "batch"]);

/** Returns the classes and tiers that a chat can reach. */
export function findReach({ writesImplicitly }: Pick<TokenPricing, "writesImplicitly">, input: Json): Reach {
  const marks = listMarks(input);
  const isLong = marks.some(({ isLong }) => isLong);
  const isShort = marks.length > 0 || writesImplicitly;
  return {
    writes: isLong ? "long" : isShort ? "short" : null,
    makesAudio: makesAudio(input),
    serviceTier: readServiceTier(input),
  };
}

/** Returns the service tier that a chat asks for; null for the default one. */
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
  const issues = listMarks(input).flatMap((mark) => findUnpricedMark(perMillion, mark));
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

/** Returns the places of a chat that mark the prompt so far for caching. */
function listMarks(input: Json): Mark[] {
  const marks: Mark[] = [];
  const addMark = ({ cache_control: mark }: Json, ...path: (string | number)[]) => {
    if (!isObjectOrArray(mark)) return;
    // Five minutes is the default of those who read marks; every longer time costs more.
    const isLong = mark.ttl !== undefined && mark.ttl !== null && mark.ttl !== "5m";
    marks.push({ place: [...path, "cache_control"].join("."), isLong });
  };
  addMark(input);
  const { prompt_cache_options: options } = input;
  // OpenAI has caches of half an hour, and dearer ones.
  if (isObjectOrArray(options) && (options.ttl ?? "30m") !== "30m")
    marks.push({ place: "prompt_cache_options", isLong: true });
  for (const list of ["messages", "tools"])
    forEachObject(input[list], (item, index) => {
      addMark(item, list, index);
      forEachObject(item.content, (part, n) => addMark(part, list, index, "content", n));
    });
  return marks;
}

function listAudioParts({ messages }: Json): string[] {
  const places: string[] = [];
  forEachObject(messages, (message, index) => {
    forEachObject(message.content, ({ type }, part) => {
      if (type === "input_audio") places.push(`messages.${index}.content.${part}`);
    });
    if (hasSpokenAnswer(message)) places.push(`messages.${index}.audio`);
  });
  return places;
}

const isObjectOrArray = (value: unknown): value is Json => typeof value === "object" && value !== null;

function forEachObject(value: unknown, visit: (item: Json, index: number) => void): void {
  if (Array.isArray(value)) value.forEach((item, index) => isObjectOrArray(item) && visit(item, index));
}
