import { asObject } from "../../lib/is-object";
import type { Tokens } from "../../catalogue/token-classes";
import { isTokenCount } from "./token-usage";

type Json = Record<string, unknown>;

/** What a provider has reported of a chat's tokens; null for a total that it did not report, or not plausibly. */
interface ReportedUsage {
  input: number | null;
  output: number | null;
  /** The tokens by class, which add up to the totals that are known. */
  tokens: Tokens;
  /** The tier of service that the usage names. */
  serviceTier: string | null;
  /** Whether counts were malformed or contradicted each other, so that some were lowered or left out. */
  isImplausible: boolean;
}

/** Counts as a maker reports them. A part that is absent was not reported; parts may be implausible. */
interface Counts {
  prompt: unknown;
  cached?: unknown;
  written?: unknown;
  writtenShort?: unknown;
  writtenLong?: unknown;
  audioInput?: unknown;
  imageInput?: unknown;
  completion: unknown;
  reasoning?: unknown;
  audioOutput?: unknown;
  /** All tokens of a prompt and an answer. */
  total?: unknown;
}

/**
 * Returns a provider's usage in one form, however its maker counts. Parts never exceed their total: cached tokens are taken
 * out first, then written ones, then media. Writes that the provider has not split by their time to live are long ones if
 * the request asked for long ones.
 */
export function readUsage(usage: unknown, { writesLong = false }: { writesLong?: boolean } = {}): ReportedUsage {
  const reported = asObject(usage);
  const counts = makers.find(({ matches }) => matches(reported))!.read(reported);
  const taker = createTaker();
  const input = isTokenCount(counts.prompt) && counts.prompt > 0 ? counts.prompt : null;
  const inputParts = input === null ? {} : takeInput(taker, input, counts, writesLong);
  const output = findOutput(counts);
  const outputParts = output === null ? {} : takeOutput(taker, output, counts);
  return {
    input,
    output,
    tokens: { input: 0, output: 0, ...inputParts, ...outputParts },
    serviceTier: typeof reported.service_tier === "string" ? reported.service_tier : null,
    isImplausible: taker.isImplausible() || [counts.prompt, counts.completion].some(isBroken),
  };
}

const isBroken = (count: unknown): boolean => count !== undefined && count !== null && !isTokenCount(count);

/** How makers count. The first one that matches a usage reads it. */
const makers: { matches: (usage: Json) => boolean; read: (usage: Json) => Counts }[] = [
  { matches: (usage) => Object.hasOwn(usage, "promptTokenCount"), read: readGemini },
  {
    matches: (usage) =>
      !Object.hasOwn(usage, "prompt_tokens") &&
      !Object.hasOwn(usage, "input_tokens_details") &&
      Object.hasOwn(usage, "input_tokens"),
    read: readAnthropic,
  },
  { matches: () => true, read: readOpenAi },
];

/** OpenAI's chats and responses, and all others in their form: parts are included in their totals. */
function readOpenAi(usage: Json): Counts {
  const input = asObject(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const output = asObject(usage.completion_tokens_details ?? usage.output_tokens_details);
  const split = asObject(input.cache_write_tokens_details);
  const prompt = usage.prompt_tokens ?? usage.input_tokens;
  return {
    prompt: prompt ?? addCounts(usage.prompt_cache_hit_tokens, usage.prompt_cache_miss_tokens),
    // DeepSeek and litellm report cached tokens at the top level.
    cached: input.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cache_read_input_tokens,
    written: input.cache_write_tokens ?? input.cache_creation_tokens ?? usage.cache_creation_input_tokens,
    writtenShort: split.ttl_30m_tokens,
    writtenLong: split.ttl_12h_tokens,
    audioInput: input.audio_tokens,
    imageInput: input.image_tokens,
    completion: usage.completion_tokens ?? usage.output_tokens,
    reasoning: output.reasoning_tokens ?? usage.reasoning_tokens,
    audioOutput: output.audio_tokens,
    total: usage.total_tokens,
  };
}

/** Anthropic: what was read from the cache and written to it comes on top of the input. */
function readAnthropic(usage: Json): Counts {
  const split = asObject(usage.cache_creation);
  const { ephemeral_5m_input_tokens: writtenShort, ephemeral_1h_input_tokens: writtenLong } = split;
  const written = usage.cache_creation_input_tokens ?? addCounts(writtenShort, writtenLong);
  return {
    prompt: addCounts(usage.input_tokens, usage.cache_read_input_tokens, written),
    cached: usage.cache_read_input_tokens,
    written,
    writtenShort,
    writtenLong,
    completion: usage.output_tokens,
    reasoning: asObject(usage.output_tokens_details).thinking_tokens,
  };
}

/** Gemini's own form: thoughts come on top of the answer. */
function readGemini(usage: Json): Counts {
  return {
    prompt: usage.promptTokenCount,
    cached: usage.cachedContentTokenCount,
    completion: addCounts(usage.candidatesTokenCount ?? 0, usage.thoughtsTokenCount),
    reasoning: usage.thoughtsTokenCount,
  };
}

/** Returns the sum of the counts that are present; undefined if none is, and an implausible count if there is one. */
function addCounts(...counts: unknown[]): unknown {
  const present = counts.filter((count) => count !== undefined && count !== null);
  if (present.length === 0) return undefined;
  return present.find((count) => !isTokenCount(count)) ?? (present as number[]).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the tokens of the answer, including those that a provider counts outside its completion: reasoning, as a total or
 * a completion with fewer tokens shows, or whatever else its total includes.
 */
function findOutput({ prompt, completion, reasoning, total }: Counts): number | null {
  if (!isTokenCount(completion)) return null;
  const beyond = isTokenCount(total) && isTokenCount(prompt) ? total - prompt - completion : 0;
  if (beyond > 0) return completion + beyond;
  return isTokenCount(reasoning) && reasoning > completion ? completion + reasoning : completion;
}

function takeInput({ takeFrom }: Taker, input: number, counts: Counts, writesLong: boolean): Partial<Tokens> {
  const total = { left: input };
  const cached = takeFrom(total, counts.cached);
  const written = { left: takeFrom(total, counts.written ?? addCounts(counts.writtenShort, counts.writtenLong)) };
  const long = takeFrom(written, counts.writtenLong);
  const short = takeFrom(written, counts.writtenShort);
  const [image, audio] = [takeFrom(total, counts.imageInput), takeFrom(total, counts.audioInput)];
  return {
    input: total.left,
    cached_input: cached,
    cache_write: short + (writesLong ? 0 : written.left),
    cache_write_long: long + (writesLong ? written.left : 0),
    audio_input: audio,
    image_input: image,
  };
}

function takeOutput({ takeFrom }: Taker, output: number, counts: Counts): Partial<Tokens> {
  const total = { left: output };
  const reasoning = takeFrom(total, counts.reasoning);
  const audio = takeFrom(total, counts.audioOutput);
  return { output: total.left, reasoning, audio_output: audio };
}

interface Taker {
  /** Subtracts a part from what is left of a total, at most all of it, and returns how much. */
  takeFrom: (total: { left: number }, count: unknown) => number;
  isImplausible(): boolean;
}

function createTaker(): Taker {
  let isImplausible = false;
  return {
    takeFrom(total, count) {
      if (isBroken(count)) isImplausible = true;
      if (!isTokenCount(count)) return 0;
      if (count > total.left) isImplausible = true;
      const taken = Math.min(count, total.left);
      total.left -= taken;
      return taken;
    },
    isImplausible: () => isImplausible,
  };
}
