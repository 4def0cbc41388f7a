import { setImmediate as breathe } from "node:timers/promises";

/** Characters that are counted at once: a word of letters alone takes time that grows with the square of its length. */
const MAX_RUN_LENGTH = 1_000;
const SLICE_LENGTH = 20_000;
const RUNS = /\p{L}{1,1000}|\s{1,1000}|[^\p{L}\s]{1,1000}/gu;
/** Characters of a token on average: no text that anybody writes has more. */
const MAX_TOKEN_LENGTH = 16;

// Loading the vocabulary takes half a second and 60 MB: only who chats with the sandbox pays for it.
const load = () => import("gpt-tokenizer/encoding/o200k_base");
let loading: ReturnType<typeof load> | undefined;
const vocabulary = () => (loading ??= load());
// A customer's text is text, also where it spells a control token.
const asText = { disallowedSpecial: new Set<string>() };

let countedLength = 0;

/**
 * Returns the tokens of a text in the vocabulary of OpenAI's newer models (o200k), or null beyond `most`. Exact unless
 * it has a run of a thousand letters, spaces or signs or more, or of 40,000 characters without a space: these are
 * counted in pieces.
 */
export async function countTokens(text: string, most = Infinity): Promise<number | null> {
  if (text.length > most * MAX_TOKEN_LENGTH) return null;
  const { countTokens: count } = await vocabulary();
  let tokens = 0;
  for (const slice of slices(text)) {
    tokens += count(slice, asText);
    if (tokens > most) return null;
    countedLength += slice.length;
    if (countedLength < SLICE_LENGTH) continue;
    countedLength = 0;
    await breathe();
  }
  return tokens;
}

/** The text cut to its first `most` tokens, and how many it has then. */
export async function truncateText(
  text: string,
  most: number,
): Promise<{ text: string; tokens: number; whole: boolean }> {
  const { encode, decode } = await vocabulary();
  const tokens = encode(text, asText);
  if (tokens.length <= most) return { text, tokens: tokens.length, whole: true };
  return { text: decode(tokens.slice(0, most)), tokens: most, whole: false };
}

/** Yields slices that are cut where a word begins, or after a piece of a run that is too long. */
function* slices(text: string): Generator<string> {
  let slice = "";
  for (const [run] of text.matchAll(RUNS)) {
    if (run.length >= MAX_RUN_LENGTH) {
      if (slice) yield slice;
      yield run;
      slice = "";
    } else {
      if (slice.length > (/^\s/.test(run) ? 1 : 2) * SLICE_LENGTH) {
        yield slice;
        slice = "";
      }
      slice += run;
    }
  }
  if (slice) yield slice;
}
