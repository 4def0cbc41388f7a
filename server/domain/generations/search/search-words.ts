/** Text beyond this is not searched. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 40;
const MAX_VALUES = 1_000;

/** Scripts that put no spaces between words; each of their characters counts as a word. */
const WITHOUT_SPACES = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
const WORD = new RegExp(String.raw`[${WITHOUT_SPACES}]|(?:(?![${WITHOUT_SPACES}])[\p{L}\p{N}\p{M}])+`, "gu");

/** Returns the words of a text in lower case, each once. */
export function splitWords(text: string): string[] {
  const words = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  return [...new Set(words.map(shorten))];
}

const shorten = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("");

/** Returns a word as the index has it: after the id of its account, so that a search reads no entries of others. */
export const scopeWord = (accountId: number, word: string): string => `${accountId}:${word}`;

/** Returns the words of an input by which its generation is found. */
export const collectWords = (accountId: number, input: unknown): string[] =>
  splitWords(collectText(input))
    .slice(0, MAX_WORDS)
    .map((word) => scopeWord(accountId, word));

const isReference = (text: string): boolean => /^(?:https?:|data:|sha256:)/i.test(text);

/** Members of chat messages that say nothing about their text. */
const skipped = new Set(["role", "type"]);

function collectText(input: unknown): string {
  const texts: string[] = [];
  let room = MAX_TEXT_LENGTH;
  let values = 0;
  const visit = (value: unknown): void => {
    if (room <= 0 || (values += 1) > MAX_VALUES) return;
    if (typeof value === "string") {
      if (isReference(value)) return;
      texts.push(value.slice(0, room));
      room -= value.length;
    } else if (Array.isArray(value)) {
      // From the end, because the last message of a chat says what it is about.
      for (let index = value.length - 1; index >= 0 && room > 0; index -= 1) visit(value[index]);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) if (!skipped.has(name)) visit(member);
    }
  };
  // First, because a long list of other texts must not push it out.
  const { prompt, ...others } = input as Record<string, unknown>;
  visit(prompt);
  visit(others);
  return texts.join(" ");
}

/** Returns whether a text can be searched for: whether it has a letter or a digit. */
export const isSearchable = (text: string): boolean => splitWords(text).length > 0;
