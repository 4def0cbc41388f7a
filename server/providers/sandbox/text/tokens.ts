import { setImmediate as breathe } from "node:timers/promises";

/** What can be counted at once: a word of letters alone takes time that grows with the square of its length. */
const LONGEST_RUN = 1_000;
const SLICE = 20_000;
const RUNS = /\p{L}+|\s+|[^\p{L}\s]+/gu;

// Loading the vocabulary takes half a second and 60 MB: only who chats with the sandbox pays for it.
const load = () => import("gpt-tokenizer/encoding/o200k_base");
let loading: ReturnType<typeof load> | undefined;
const vocabulary = () => (loading ??= load());
// A customer's text is text, also where it spells a control token.
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Tokens of a text in the vocabulary of OpenAI's newer models (o200k), or null beyond `most`. Exact unless it has a
 * run of more than a thousand letters, spaces or signs, which is counted in pieces.
 */
export async function countTokens(text: string, most = Infinity): Promise<number | null> {
  const { countTokens: count } = await vocabulary();
  let tokens = 0;
  for (const slice of slices(text)) {
    tokens += count(slice, asText);
    if (tokens > most) return null;
    if (text.length > SLICE) await breathe();
  }
  return tokens;
}

/** The text cut to its first `most` tokens, and how many it has then. */
export async function cutTo(text: string, most: number): Promise<{ text: string; tokens: number; whole: boolean }> {
  const { encode, decode } = await vocabulary();
  const tokens = encode(text, asText);
  if (tokens.length <= most) return { text, tokens: tokens.length, whole: true };
  return { text: decode(tokens.slice(0, most)), tokens: most, whole: false };
}

/** Slices that are cut where a word begins, or inside a run that is too long. */
function* slices(text: string): Generator<string> {
  let slice = "";
  for (const [run] of text.matchAll(RUNS)) {
    if (run.length > LONGEST_RUN) {
      if (slice) yield slice;
      for (let at = 0; at < run.length; at += LONGEST_RUN) yield run.slice(at, at + LONGEST_RUN);
      slice = "";
    } else {
      if (slice.length > SLICE && /^\s/.test(run)) {
        yield slice;
        slice = "";
      }
      slice += run;
    }
  }
  if (slice) yield slice;
}
