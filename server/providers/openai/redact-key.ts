import type { ProviderSettings } from "../../catalogue/model";
import { oncePer } from "../../lib/once-per";

/** Shorter ones are what local servers ask for, such as `ollama`, and may be words of an answer. */
const MIN_KEY_LENGTH = 8;
const REMOVED = "[…]";

/** Returns the JSON of an answer without the provider's key, should it stand anywhere in it, however JSON spells it. */
export function redactKey(json: string, provider: ProviderSettings): string {
  const { apiKey } = provider;
  if (apiKey === null || apiKey.length < MIN_KEY_LENGTH) return json;
  // Most answers escape no more than line breaks and quotes.
  if (!json.includes(apiKey) && !/\\[u/]/.test(json)) return json;
  return json.replace(spellingsOf(provider), REMOVED);
}

const spellingsOf = oncePer(
  ({ apiKey }: ProviderSettings) => new RegExp([...apiKey!].map(spellingsOfCharacter).join(""), "g"),
);

function spellingsOfCharacter(character: string): string {
  const plain = character.replace(/[^\w]/, "\\$&");
  const hex = character.charCodeAt(0).toString(16).padStart(4, "0");
  const digits = [...hex].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("");
  return `(?:${character === "/" ? "\\\\?/" : plain}|\\\\u${digits})`;
}
