import { MAX_CHARACTER_ID } from "../references/learned-character";

/** Returns the character id in a text; null when it is malformed. */
export function parseCharacterId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= MAX_CHARACTER_ID ? id : null;
}
