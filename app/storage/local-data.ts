"use client";

// The version changes with the shapes of the values.
const PREFIX = "hub:1:";

/** Set when the session ends, so that a page that is being left stores nothing. */
let isClosed = false;

const nameOf = (accountId: number, name: string) => `${PREFIX}${accountId}:${name}`;

/** Returns a list stored for the account in this browser; an empty one if there is none. */
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
 * Stores a list for the account in this browser, without the last items if it exceeds its bounds. Does nothing if storage
 * is disabled or full.
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
    // Storage may be disabled or full.
  }
}

/** Removes what is stored in this browser for any account, when the session ends. */
export function clearLocalData(): void {
  isClosed = true;
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // Without storage there is nothing to remove.
  }
}
