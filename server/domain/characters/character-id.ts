export const MAX_CHARACTER_ID = 2 ** 31 - 1;

/** The id that a path or a cursor names; null for what cannot be one. */
export function parseCharacterId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= MAX_CHARACTER_ID ? id : null;
}
