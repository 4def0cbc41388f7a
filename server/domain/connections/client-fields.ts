/** A program that asks for a connection. */
export interface Client {
  id: string;
  /** What it calls itself. */
  name: string;
  /** The site that vouches for its redirect addresses; null for a client that registered itself. */
  host: string | null;
  redirectUris: string[];
}

export const MAX_REDIRECT_URIS = 10;
const MAX_NAME_CHARACTERS = 60;

/** Returns a client's name without characters that hide or turn text; null if nothing is left. */
export function cleanClientName(name: string | undefined): string | null {
  const text = (name ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...text].slice(0, MAX_NAME_CHARACTERS).join("").trim() || null;
}
