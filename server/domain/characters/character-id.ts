/** The largest value of the column `character.id`, a Postgres integer. */
export const MAX_CHARACTER_ID = 2 ** 31 - 1;

/** Returns the character id in a text; null when it is malformed. */
export function parseCharacterId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= MAX_CHARACTER_ID ? id : null;
}
