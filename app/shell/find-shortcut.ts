import { consolePages } from "./pages";

/** What a key does. */
export type Shortcut = { go: string } | "palette" | "search" | "shortcuts" | "prefix";

interface Key {
  key: string;
  /** Whether `g` was pressed just before. */
  isPrefixed: boolean;
}

/** Returns what a single key does outside of fields and dialogs; null if nothing. */
export function findShortcut({ key, isPrefixed }: Key): Shortcut | null {
  if (isPrefixed) {
    const page = consolePages.find(({ letter }) => letter === key.toLowerCase());
    return page ? { go: page.path } : null;
  }
  if (key === "g") return "prefix";
  if (key === "/") return "search";
  return key === "?" ? "shortcuts" : null;
}

interface Modified {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Returns whether a key opens the palette: ⌘K on a Mac, where Ctrl+K deletes a line in a field, and Ctrl+K elsewhere. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Modified, isMac: boolean): boolean =>
  key.toLowerCase() === "k" && !altKey && !shiftKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
