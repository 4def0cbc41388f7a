"use client";

// The version changes with the shapes of the values.
const PREFIX = "hub:1:";

/** Set when the session ends, so that a page that is being left keeps nothing. */
let isClosed = false;

const nameOf = (accountId: number, name: string) => `${PREFIX}${accountId}:${name}`;

/** Returns the list that this browser keeps for the account under this name; an empty one without it. */
export function readList<Item>(accountId: number, name: string): Item[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(nameOf(accountId, name)) ?? "[]");
    return Array.isArray(value) ? (value as Item[]) : [];
  } catch {
    return [];
  }
}

interface Bounds {
  maxItems: number;
  /** In characters of JSON, for the whole list. */
  maxLength: number;
}

/**
 * Keeps a list in this browser for the account, without its last items as far as it exceeds its bounds. Does nothing in
 * a browser that does not let pages keep data, or has no room left.
 */
export function writeList<Item>(accountId: number, name: string, items: Item[], { maxItems, maxLength }: Bounds): void {
  if (isClosed) return;
  const kept: string[] = [];
  let length = 0;
  for (const item of items.slice(0, maxItems)) {
    const json = JSON.stringify(item);
    length += json.length;
    if (length > maxLength) break;
    kept.push(json);
  }
  try {
    localStorage.setItem(nameOf(accountId, name), `[${kept.join(",")}]`);
  } catch {
    // What is on the page stays there.
  }
}

/** Removes what this browser keeps for any account, so that nothing is left after signing out. */
export function clearLocalData(): void {
  isClosed = true;
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // Without storage there is nothing to remove.
  }
}
