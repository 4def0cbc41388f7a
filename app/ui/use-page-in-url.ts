"use client";

import { useSearch } from "./use-search";

const STORAGE_KEY = "newer-pages";
const MAX_PAGES = 200;

/**
 * Keeps the page of a list in the URL, as `cursor`, so that going back returns to it. Has the members of `useCursor`,
 * and `filter`, which changes a filter and returns to the first page: a cursor belongs to the filters it was made with.
 */
export function usePageInUrl() {
  const { read, changeAll } = useSearch();
  const cursor = read("cursor") || undefined;
  const open = (next: string) => changeAll({ cursor: next }, "pushState");
  return {
    cursor,
    isFirst: cursor === undefined,
    older: (next: string) => {
      // While a page loads, the list still has the cursor that leads to it.
      if (next === cursor) return;
      rememberNewer(next, cursor ?? "");
      open(next);
    },
    newer: () => open(recallNewer(cursor ?? "")),
    reset: () => open(""),
    filter: (name: string, value: string) => changeAll({ [name]: value, cursor: "" }),
  };
}

type Page = [cursor: string, newer: string];

function readPages(): Page[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as Page[];
  } catch {
    // Storage may be disabled.
    return [];
  }
}

/** Remembers the page before a page, because a cursor only leads forward. */
function rememberNewer(cursor: string, newer: string): void {
  const others = readPages().filter(([one]) => one !== cursor);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...others, [cursor, newer]].slice(-MAX_PAGES)));
  } catch {
    // Without storage, "Newer" leads to the first page.
  }
}

/** Returns the cursor of the previous page; the one of the first page if the link came from elsewhere. */
const recallNewer = (cursor: string): string => readPages().find(([one]) => one === cursor)?.[1] ?? "";
